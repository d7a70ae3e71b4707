import { TICKET_PATTERN, type Ticket } from '../domain/ticket.ts';
import { Type } from '../schema.ts';
import type { Representation } from './representation.ts';

/** A ticket as a login and a validation show it (`wire.md` section 3). */
export interface TicketShown {
  readonly ticket: Ticket;
}

const ticket = Type.String({ pattern: TICKET_PATTERN });

export const ticketShown = {
  schema: Type.Object({ data: Type.Object({ ticket }) }, { title: 'Ticket' }),
  xmlSchema: Type.String({ ...ticket, xml: { name: 'ticket' } }),
  json: ({ ticket }) => ({ data: { ticket } }),
  xml: ({ ticket }) => ['ticket', ticket],
} satisfies Representation<TicketShown>;
