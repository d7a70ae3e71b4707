import { TICKET_PATTERN, type Ticket } from '../../domain/ticket.ts';
import { Type } from '../../schema.ts';
import type { Representation } from '../representation.ts';

/** A ticket as a v1 login shows it (`wire.md` section 10). */
export interface V1LoginShown {
  readonly ticket: Ticket;
  /** The name of its user, in the spelling that is kept. */
  readonly userId: string;
}

const id = Type.String({ pattern: TICKET_PATTERN });

export const v1LoginShown: Representation<V1LoginShown> = {
  schema: Type.Object({ entry: Type.Object({ id, userId: Type.String() }) }),
  json: ({ ticket, userId }) => ({ entry: { id: ticket, userId } }),
};

/** A ticket as a v1 validation shows it. */
export const v1TicketShown: Representation<Pick<V1LoginShown, 'ticket'>> = {
  schema: Type.Object({ entry: Type.Object({ id }) }),
  json: ({ ticket }) => ({ entry: { id: ticket } }),
};
