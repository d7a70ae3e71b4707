import { suffices } from '../../../../core/domain/role.ts';
import { shortDigest } from '../../../../core/domain/ticket.ts';
import { addressWith, userAddress } from '../../../../faces/pages/console/addresses.ts';
import { downloadLinks } from '../../../../faces/pages/console/download-links.ts';
import { userLink } from '../../../../faces/pages/console/user-link.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { filterForm, lineField } from '../../../../faces/pages/parts/form.ts';
import { type PageOfList, pager, type TableColumn, table } from '../../../../faces/pages/parts/list.ts';
import { badge } from '../../../../faces/pages/parts/notice.ts';
import { byCredential, programCells } from '../../../../faces/pages/program-name.ts';
import type { LiveTicket, LiveTickets } from './live.ts';

/** The page about tickets. */
export const TICKETS = '/portal/console/tickets';

/** The values on the page: its filter, and the tickets. */
export interface TicketsFound extends LiveTickets, PageOfList {
  readonly user: string | undefined;
  /** Whether there is no user of the name that was asked for. */
  readonly isUserUnknown: boolean;
}

const mayEnd = ({ user }: Reader) => suffices(user?.role, 'operator');

/** Leads to the page that asks before the ticket ends. */
function endLink({ say }: Reader, { user, ticket }: LiveTicket): Html {
  const digest = shortDigest(ticket.digest);
  const name = say('console.tickets.endNamed', { user, ticket: digest });
  return html`<a class="button danger compact" href="${addressWith(`${userAddress(user)}/end-ticket`, { of: digest })}" aria-label="${name}">${say('tickets.end')}</a>`;
}

async function columns(
  reader: Reader,
  tickets: readonly LiveTicket[],
): Promise<readonly TableColumn<LiveTicket>[]> {
  const { say } = reader;
  const programs = tickets.map(({ origin }) => origin?.program);
  const programCell = await programCells(reader, programs);
  const suspended = html` ${badge('warning', say('console.tickets.suspended'))}`;
  const end = { heading: say('tickets.end'), isPlain: true, cell: (row: LiveTicket) => endLink(reader, row) };
  return [
    {
      heading: say('console.tickets.user'),
      cell: ({ user, state }) => html`${userLink(reader, user)}${state === 'suspended' && suspended}`,
    },
    {
      heading: say('tickets.program'),
      cell: ({ origin }) =>
        html`${programCell(origin?.program) ?? say('tickets.unknownProgram')}${byCredential(reader, origin)}`,
    },
    { heading: say('tickets.address'), cell: ({ origin }) => origin?.from ?? say('tickets.unknown') },
    { heading: say('tickets.since'), cell: ({ ticket }) => shownTime(ticket.issuedAt, reader) },
    { heading: say('tickets.lastUse'), cell: ({ ticket }) => shownTime(ticket.usedAt, reader) },
    {
      heading: say('console.tickets.digest'),
      cell: ({ ticket }) => html`<code class="short">${shortDigest(ticket.digest)}</code>`,
    },
    ...(mayEnd(reader) ? [end] : []),
  ];
}

/** Links to the pages that ask before many tickets end. */
export function endLinks(reader: Reader, { user, isUserUnknown }: TicketsFound): Html {
  const { say } = reader;
  const link = (to: string, text: string) => html`<a class="button danger" href="${to}">${text}</a>`;
  const ofUser =
    user && !isUserUnknown && mayEnd(reader)
      ? link(`${userAddress(user)}/end-tickets`, say('console.tickets.endOfUser', { user }))
      : undefined;
  return html`${ofUser}${mayEnd(reader) && link(`${TICKETS}/end`, say('console.tickets.endAll'))}`;
}

/** The filter and the list. */
export async function ticketsBody(reader: Reader, found: TicketsFound): Promise<Html> {
  const { say } = reader;
  const { user, items, next, isUserUnknown } = found;
  const field = {
    name: 'user',
    label: say('console.tickets.user'),
    value: user,
    isOptional: true,
    ...(isUserUnknown && { fault: say('console.userUnknown') }),
  };
  const list = table({
    caption: say('console.tickets'),
    columns: await columns(reader, items),
    rows: items,
    whenEmpty: say(next === undefined ? 'console.tickets.none' : 'console.tickets.noneHere'),
  });
  const file = user ? `users/${encodeURIComponent(user)}/tickets` : 'tickets';
  return html`${filterForm(reader, { action: TICKETS, fields: lineField(reader, field), results: 'results' })}
<div id="results">${list}${pager(reader, TICKETS, { user }, found)}${!isUserUnknown && downloadLinks(reader, file)}</div>`;
}
