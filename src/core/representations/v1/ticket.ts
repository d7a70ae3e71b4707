import { TICKET_PATTERN, type Ticket } from '../../domain/ticket.ts';
import { Type } from '../../schema.ts';
import type { Representation } from '../representation.ts';

/** The answer to a v1 login (specification, section 10). */
interface V1LoginShown {
  readonly ticket: Ticket;
  /** The user's name in its stored spelling. */
  readonly userId: string;
}

const id = Type.String({ pattern: TICKET_PATTERN });

export const v1LoginShown: Representation<V1LoginShown> = {
  schema: Type.Object({ entry: Type.Object({ id, userId: Type.String() }) }),
  json: ({ ticket, userId }) => ({ entry: { id: ticket, userId } }),
};

/** The answer to a v1 validation. */
export const v1TicketShown: Representation<Pick<V1LoginShown, 'ticket'>> = {
  schema: Type.Object({ entry: Type.Object({ id }) }),
  json: ({ ticket }) => ({ entry: { id: ticket } }),
};
