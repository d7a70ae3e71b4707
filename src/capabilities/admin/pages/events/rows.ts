import type { EventKind, RecordedEvent } from '../../../../core/domain/event.ts';
import { isMaskedName } from '../../../../core/domain/user.ts';
import { userLink } from '../../../../faces/pages/console/user-link.ts';
import { eventKindText, eventOriginText, eventReasonText } from '../../../../faces/pages/event-texts.ts';
import { type Html, type HtmlValue, html } from '../../../../faces/pages/html.ts';
import { exactTime, type Reader } from '../../../../faces/pages/layout.ts';
import type { TableColumn } from '../../../../faces/pages/parts/list.ts';
import { badge } from '../../../../faces/pages/parts/notice.ts';
import { programCells } from '../../../../faces/pages/program-name.ts';

function details({ say }: Reader, event: RecordedEvent): HtmlValue {
  const { actor, digest, count } = event;
  const parts: HtmlValue[] = [
    eventReasonText(say, event),
    actor !== undefined && say('console.events.by', { actor }),
    digest !== undefined && html`${say('console.events.ticket')} <code class="short">${digest}</code>`,
    count > 1 && badge('neutral', say('console.events.count', { count })),
  ];
  const filled = parts.filter((part) => part !== undefined && part !== false);
  return filled.map((part, at) => html`${at > 0 && ' · '}${part}`);
}

/** A name in an event is masked if no user has it. */
const whom = (reader: Reader, name: string): Html | string =>
  isMaskedName(name) ? name : userLink(reader, name);

/** What happened. A refusal and a lock-out have a colour, so that they are seen among all others. */
function kindCell({ say }: Reader, kind: EventKind): Html | string {
  const text = eventKindText(say, kind);
  if (kind === 'lock') return badge('bad', text);
  return kind.endsWith('-refused') ? badge('warning', text) : text;
}

/**
 * How these events stand in a list, whether a page has them or a stream adds them. A list of one kind or of one user, which its
 * title says, has no column for it.
 */
export async function eventColumns(
  reader: Reader,
  events: readonly RecordedEvent[],
  {
    isOfOneKind = false,
    isOfOneUser = false,
  }: { readonly isOfOneKind?: boolean; readonly isOfOneUser?: boolean } = {},
): Promise<readonly TableColumn<RecordedEvent>[]> {
  const { say } = reader;
  const programs = events.map(({ program }) => program);
  const programCell = await programCells(reader, programs);
  const what: TableColumn<RecordedEvent> = {
    heading: say('console.events.what'),
    isPlain: true,
    cell: ({ kind }) => kindCell(reader, kind),
  };
  const about: TableColumn<RecordedEvent> = {
    heading: say('console.events.user'),
    cell: ({ user }) => user && whom(reader, user),
  };
  return [
    { heading: say('console.events.time'), cell: ({ at }) => exactTime(at, reader) },
    ...(isOfOneKind ? [] : [what]),
    ...(isOfOneUser ? [] : [about]),
    { heading: say('console.events.from'), cell: ({ from }) => from && eventOriginText(say, from) },
    { heading: say('tickets.program'), cell: ({ program }) => programCell(program) },
    { heading: say('console.events.details'), cell: (event) => details(reader, event) },
  ];
}
