import type { CursorPage } from '../../../domain/cursor.ts';
import { shortDigest } from '../../../domain/ticket.ts';
import type { ListedTicket } from '../../../representations/admin/ticket.ts';
import { type Html, html } from '../../html.ts';
import { type Reader, shownTime } from '../../layout.ts';
import { type TableColumn, table } from '../../parts/list.ts';
import { badge, type Tone } from '../../parts/notice.ts';
import { programName } from '../../program-name.ts';
import { addressWith, userAddress } from '../addresses.ts';
import { card, linkButton } from '../parts.ts';

/** A ticket with the short name of the program that has it, if it tells one. */
interface TicketWithProgram extends ListedTicket {
  readonly programName: string | undefined;
}

const STATE_TONES: Readonly<Record<ListedTicket['state'], Tone>> = {
  valid: 'good',
  suspended: 'warning',
  expired: 'neutral',
  invalid: 'neutral',
};

function ticketColumns(reader: Reader, userName: string): readonly TableColumn<TicketWithProgram>[] {
  const { say } = reader;
  const endOf = (digest: string) => addressWith(`${userAddress(userName)}/end-ticket`, { of: digest });
  return [
    { heading: say('tickets.since'), cell: ({ ticket }) => shownTime(ticket.issuedAt, reader) },
    { heading: say('tickets.lastUse'), cell: ({ ticket }) => shownTime(ticket.usedAt, reader) },
    { heading: say('tickets.address'), cell: ({ origin }) => origin?.from },
    {
      heading: say('tickets.program'),
      cell: ({ origin, programName: name }) =>
        origin?.program && html`<span title="${origin.program}">${name ?? origin.program}</span>`,
    },
    {
      heading: say('console.tickets.state'),
      cell: ({ state }) => badge(STATE_TONES[state], say(`console.tickets.state.${state}`)),
    },
    {
      heading: say('console.tickets.digest'),
      cell: ({ ticket }) => html`<code>${shortDigest(ticket.digest)}</code>`,
    },
    {
      heading: say('console.change'),
      cell: ({ ticket }) => linkButton(endOf(shortDigest(ticket.digest)), say('tickets.end')),
    },
  ];
}

/** The tickets of a user, with what ends them. */
export async function ticketsCard(
  reader: Reader,
  userName: string,
  { items, next }: CursorPage<ListedTicket>,
): Promise<Html> {
  const { say } = reader;
  const rows = await Promise.all(
    items.map(async (each) => ({ ...each, programName: await programName(each.origin?.program, say) })),
  );
  const columns = ticketColumns(reader, userName);
  const list = table({
    caption: say('console.tickets'),
    columns,
    rows,
    whenEmpty: say('console.users.noTickets'),
  });
  const more = next !== undefined && html`<p class="hint">${say('console.users.moreTickets')}</p>`;
  const all = `${userAddress(userName)}/end-tickets`;
  const endAll = items.length > 0 && linkButton(all, say('console.users.end-tickets.submit'));
  return card(say('console.tickets'), html`${list}${more}`, endAll);
}
