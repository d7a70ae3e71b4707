import { TICKET_PATTERN, type Ticket } from '../domain/ticket.ts';
import { Type } from '../schema.ts';
import type { Representation } from './representation.ts';

/** A ticket as a login and a validation show it (specification, section 3). */
export interface TicketShown {
  readonly ticket: Ticket;
}

const ticket = Type.String({ pattern: TICKET_PATTERN });

/** Clients cut the ticket out of this text by its position. No character of a ticket is escaped in JSON. */
const jsonText = ({ ticket }: TicketShown) => `{\n\t"data":\n\t{\n\t\t"ticket":"${ticket}"\n\t}\n}`;

export const ticketShown = {
  schema: Type.Object({ data: Type.Object({ ticket }) }, { title: 'Ticket' }),
  xmlSchema: Type.String({ ...ticket, xml: { name: 'ticket' } }),
  json: ({ ticket }) => ({ data: { ticket } }),
  jsonText: (view) => `${jsonText(view)}\n`,
  xml: ({ ticket }) => ['ticket', ticket],
} satisfies Representation<TicketShown>;

/** The answer to the login by POST. In the reference, only this body does not end with a line feed. */
export const postedTicketShown = { ...ticketShown, jsonText } satisfies Representation<TicketShown>;
