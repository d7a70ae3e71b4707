import { TICKET_PATTERN, type Ticket } from '../domain/ticket.ts';
import { Type } from '../schema.ts';
import type { Representation } from './representation.ts';

/** A ticket as a login and a validation show it (`wire.md` section 3). */
export interface TicketShown {
  readonly ticket: Ticket;
}

const ticket = Type.String({ pattern: TICKET_PATTERN });

/** Clients cut the ticket out of this text by position. A ticket has no character that JSON escapes. */
const jsonText = ({ ticket }: TicketShown) => `{\n\t"data":\n\t{\n\t\t"ticket":"${ticket}"\n\t}\n}`;

export const ticketShown = {
  schema: Type.Object({ data: Type.Object({ ticket }) }, { title: 'Ticket' }),
  xmlSchema: Type.String({ ...ticket, xml: { name: 'ticket' } }),
  json: ({ ticket }) => ({ data: { ticket } }),
  jsonText: (shown) => `${jsonText(shown)}\n`,
  xml: ({ ticket }) => ['ticket', ticket],
} satisfies Representation<TicketShown>;

/** A ticket as the login by POST shows it: in the reference, this body alone has no line feed at its end. */
export const postedTicketShown = { ...ticketShown, jsonText } satisfies Representation<TicketShown>;
