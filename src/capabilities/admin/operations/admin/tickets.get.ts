import { cursorPage, cursorsOf } from '../../../../core/domain/cursor.ts';
import { isRefusal, type Refusal, refuse } from '../../../../core/domain/refusal.ts';
import { isDigest, type KeptTicket } from '../../../../core/domain/ticket.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import { limitIn, pageArguments, pageShown } from '../../../../core/representations/admin/page.ts';
import { Type } from '../../../../core/schema.ts';
import { ticketOfUserJson, ticketOfUserShown } from '../../representations/ticket.ts';

/** The place of a ticket is its user and its whole digest, which does not tell the ticket. */
const CURSORS = cursorsOf('tickets', 'number', 'string');

type TicketPosition = Pick<KeptTicket, 'userId' | 'digest'>;

function placeIn(cursor: string | undefined): TicketPosition | undefined | Refusal<'cursor_invalid'> {
  const read = CURSORS.read(cursor);
  if (isRefusal(read) || read === undefined) return read;
  const [userId, digest] = read;
  return userId > 0 && isDigest(digest) ? { userId, digest } : refuse('cursor_invalid');
}

/** Specification, section 16: list all tickets. */
export default adminOperation({
  id: 'org/service/repository/admin/tickets.get',
  summary: 'List the kept tickets of all users, in no particular order.',
  method: 'GET',
  paths: ['/api/admin/tickets'],
  role: 'auditor',
  input: { query: Type.Object(pageArguments) },
  output: pageShown(ticketOfUserShown, ticketOfUserJson),
  refusals: ['argument_invalid', 'cursor_invalid'],
  async perform({ input: { query }, store: { tickets }, ticketState }) {
    const after = placeIn(query.cursor);
    if (isRefusal(after)) return after;
    const limit = limitIn(query);
    const serverGeneration = await tickets.serverGeneration();
    const rows = await tickets.page(after, limit + 1);
    const placeOf = ({ ticket: { userId, digest } }: { readonly ticket: TicketPosition }) =>
      [userId, digest] as const;
    const { items, next } = cursorPage(rows, limit, CURSORS, placeOf);
    const origins = await tickets.originsOf(items.map(({ ticket }) => ticket));
    return answer({
      items: items.map(({ ticket, user }, index) => ({
        ticket,
        user: user?.name,
        state: ticketState({ ticket, user, serverGeneration }),
        origin: origins[index],
      })),
      next,
    });
  },
});
