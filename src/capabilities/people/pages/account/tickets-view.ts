import { shortDigest } from '../../../../core/domain/ticket.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { changeForm } from '../../../../faces/pages/parts/form.ts';
import { type TableColumn, table } from '../../../../faces/pages/parts/list.ts';
import { badge } from '../../../../faces/pages/parts/notice.ts';
import { byCredential, programName } from '../../../../faces/pages/program-name.ts';
import type { OwnTicket, OwnTickets } from '../../rules/tickets.ts';

/** A ticket with the name of its program. */
interface ShownTicket extends OwnTicket {
  readonly program: string;
}

/** The own tickets as the account page shows them. */
export interface ShownTickets {
  readonly tickets: readonly ShownTicket[];
  /** The number of further tickets. */
  readonly more: number;
}

/** Names the programs of tickets. */
export async function shownTickets({ say }: Reader, { tickets, more }: OwnTickets): Promise<ShownTickets> {
  const named = tickets.map(async (own) => {
    const name = await programName(own.origin?.program, say);
    return { ...own, program: name ?? say('tickets.unknownProgram') };
  });
  return { tickets: await Promise.all(named), more };
}

function endForm(reader: Reader, { ticket, program }: ShownTicket): Html {
  const { say } = reader;
  return changeForm(reader, {
    action: '/portal/account/tickets/end',
    hidden: { digest: shortDigest(ticket.digest) },
    submit: say('tickets.end'),
    submitNamed: say('tickets.endNamed', { program }),
    isCompact: true,
  });
}

/** The section about where the user is signed in. */
export function ticketsSection(reader: Reader, { tickets, more }: ShownTickets): Html {
  const { say } = reader;
  const mark = html` ${badge('good', say('tickets.thisOne'))}`;
  const columns: readonly TableColumn<ShownTicket>[] = [
    {
      heading: say('tickets.program'),
      cell: ({ program, origin, current }) =>
        html`<span title="${origin?.program}">${program}</span>${current && mark}${byCredential(reader, origin)}`,
    },
    { heading: say('tickets.address'), cell: ({ origin }) => origin?.from ?? say('tickets.unknown') },
    { heading: say('tickets.since'), cell: ({ ticket }) => shownTime(ticket.issuedAt, reader) },
    { heading: say('tickets.lastUse'), cell: ({ ticket }) => shownTime(ticket.usedAt, reader) },
    {
      heading: say('tickets.end'),
      isPlain: true,
      cell: (own) => (own.current ? undefined : endForm(reader, own)),
    },
  ];
  const title = say('tickets.title');
  const others = tickets.length + more > 1;
  return html`<section id="tickets"><h2>${title}</h2>
${table({ caption: title, columns, rows: tickets, whenEmpty: '' })}
${more > 0 && html`<p class="hint">${say('tickets.more', { count: more })}</p>`}
${others && html`<p><a class="button quiet" href="/portal/account/tickets/end-others">${say('tickets.endOthers')}</a></p>`}</section>`;
}
