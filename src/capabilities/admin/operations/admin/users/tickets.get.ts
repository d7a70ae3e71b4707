import { cursorPage, cursorsOf } from '../../../../../core/domain/cursor.ts';
import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { shortDigest } from '../../../../../core/domain/ticket.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import { limitIn, pageArguments, pageShown } from '../../../../../core/representations/admin/page.ts';
import { Type } from '../../../../../core/schema.ts';
import userGet from '../../../../people/operations/admin/users/user.get.ts';
import { findUser } from '../../../../people/rules/find-user.ts';
import { listedTicketJson, listedTicketShown } from '../../../representations/ticket.ts';

const CURSORS = cursorsOf('tickets of a user', 'number', 'string');

/** Specification, section 16: list the tickets of a user. */
export default adminOperation({
  id: 'org/service/repository/admin/users/tickets.get',
  summary: 'List the tickets that are kept of a user, oldest first, without the tickets themselves.',
  method: 'GET',
  paths: ['/api/admin/users/{userName}/tickets'],
  role: 'auditor',
  input: { path: userGet.input.path, query: Type.Object(pageArguments) },
  output: pageShown(listedTicketShown, listedTicketJson),
  refusals: ['user_not_found', 'argument_invalid', 'cursor_invalid'],
  async perform({ input: { path, query }, store, keyOf, ticketState }) {
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    const after = CURSORS.read(query.cursor);
    if (isRefusal(after)) return after;
    const serverGeneration = await store.tickets.serverGeneration();
    const all = await store.tickets.listOf(user.id);
    const behind = all.filter(
      ({ issuedAt, digest }) =>
        after === undefined ||
        issuedAt > after[0] ||
        (issuedAt === after[0] && shortDigest(digest) > after[1]),
    );
    const place = ({ issuedAt, digest }: (typeof all)[number]) => [issuedAt, shortDigest(digest)] as const;
    const { items, next } = cursorPage(behind, limitIn(query), CURSORS, place);
    const origins = await store.tickets.originsOf(items);
    return answer({
      items: items.map((ticket, index) => ({
        ticket,
        state: ticketState({ ticket, user, serverGeneration }),
        origin: origins[index],
      })),
      next,
    });
  },
});
