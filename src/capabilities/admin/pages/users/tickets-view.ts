import { shortDigest } from '../../../../core/domain/ticket.ts';
import { addressWith, userAddress } from '../../../../faces/pages/console/addresses.ts';
import { card, linkButton } from '../../../../faces/pages/console/parts.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { type TableColumn, table } from '../../../../faces/pages/parts/list.ts';
import { badge } from '../../../../faces/pages/parts/notice.ts';
import { byCredential, programCells } from '../../../../faces/pages/program-name.ts';
import type { ListedTicket } from '../../representations/ticket.ts';

async function ticketColumns(
  reader: Reader,
  userName: string,
  tickets: readonly ListedTicket[],
): Promise<readonly TableColumn<ListedTicket>[]> {
  const { say } = reader;
  const programs = tickets.map(({ origin }) => origin?.program);
  const programCell = await programCells(reader, programs);
  const suspended = html` ${badge('warning', say('console.tickets.suspended'))}`;
  const endOf = (digest: string) => addressWith(`${userAddress(userName)}/end-ticket`, { of: digest });
  return [
    {
      heading: say('tickets.since'),
      cell: ({ ticket, state }) =>
        html`${shownTime(ticket.issuedAt, reader)}${state === 'suspended' && suspended}`,
    },
    { heading: say('tickets.lastUse'), cell: ({ ticket }) => shownTime(ticket.usedAt, reader) },
    { heading: say('tickets.address'), cell: ({ origin }) => origin?.from },
    {
      heading: say('tickets.program'),
      cell: ({ origin }) => html`${programCell(origin?.program)}${byCredential(reader, origin)}`,
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

/** The rows of the page. */
const MOST = 20;

/** The live tickets of a user, those used last first, with what ends them. */
export async function ticketsCard(
  reader: Reader,
  userName: string,
  tickets: readonly ListedTicket[],
): Promise<Html> {
  const { say } = reader;
  const latest = tickets.toSorted((one, other) => other.ticket.usedAt - one.ticket.usedAt).slice(0, MOST);
  const columns = await ticketColumns(reader, userName, latest);
  const list = table({
    caption: say('console.tickets'),
    columns,
    rows: latest,
    whenEmpty: say('console.users.noTickets'),
  });
  const address = addressWith('/portal/console/tickets', { user: userName });
  const all = tickets.length > MOST && linkButton(address, say('console.users.allTickets'));
  const endAll =
    tickets.length > 0 &&
    linkButton(`${userAddress(userName)}/end-tickets`, say('console.users.end-tickets.submit'));
  return card(say('console.tickets'), list, html`<div class="actions">${all}${endAll}</div>`);
}
