import { type HtmlValue, html } from '../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../faces/pages/layout.ts';
import { type TableColumn, table } from '../../../faces/pages/parts/list.ts';
import { badge } from '../../../faces/pages/parts/notice.ts';
import { isBehind, type WebhookState } from '../tables/webhooks.ts';

function stateBadge({ say }: Reader, state: WebhookState) {
  const { goneAt, dead } = state;
  if (goneAt !== undefined) return badge('bad', say('console.outbox.gone'));
  if (dead > 0) return badge('bad', say('console.outbox.givesUp'));
  return isBehind(state)
    ? badge('warning', say('console.outbox.waits'))
    : badge('good', say('console.outbox.on'));
}

/** Receivers of events: how far each is behind, why, and, for who may, the button that sends again what is left. */
export function outboxTable(
  reader: Reader,
  caption: string,
  rows: readonly WebhookState[],
  parts: {
    readonly first: TableColumn<WebhookState>;
    again?(row: WebhookState): HtmlValue;
    readonly whenEmpty: string;
  },
) {
  const { say } = reader;
  const { first, again, whenEmpty } = parts;
  // In a cell itself, so that the script says how long ago it was.
  const time = (at: number | undefined) => at !== undefined && html` · ${shownTime(at, reader)}`;
  return table<WebhookState>({
    caption,
    whenEmpty,
    rows,
    columns: [
      first,
      { heading: say('console.outbox.state'), cell: (row) => stateBadge(reader, row) },
      {
        heading: say('console.outbox.waiting'),
        cell: ({ waiting, oldestAt }) => html`${waiting}${waiting > 0 && time(oldestAt)}`,
      },
      { heading: say('console.outbox.dead'), cell: ({ dead }) => dead },
      {
        heading: say('console.outbox.delivered'),
        cell: ({ deliveredAt }) => deliveredAt !== undefined && shownTime(deliveredAt, reader),
      },
      {
        heading: say('console.outbox.lastFault'),
        cell: (row) => [
          row.lastFault && html`<code>${row.lastFault.why}</code>${time(row.lastFault.at)} `,
          row.waiting + row.dead + (row.goneAt ?? 0) > 0 && again?.(row),
        ],
      },
    ],
  });
}
