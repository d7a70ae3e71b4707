import { cursorPage, cursorsOf } from '../../../../core/domain/cursor.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import { limitIn, pageArguments, pageShown } from '../../../../core/representations/admin/page.ts';
import { Type } from '../../../../core/schema.ts';
import { lockOutJson, lockOutSchema } from '../../representations/lock-out.ts';

/** Locked users come first, by key and id. Then come waits, by time and id of the refusals that tell of them. */
const CURSORS = cursorsOf('lock-outs', 'string', 'string', 'number', 'number');
/** Each refusal costs a look-up of its counters. */
const MOST_REFUSALS = 100;

/** Specification, section 16: who is locked out or has to wait. */
export default adminOperation({
  id: 'org/service/repository/admin/lockouts.get',
  summary:
    'List the users that are locked out, then who has to wait at which address. Names that nobody has are not listed. A page may have fewer items than its limit.',
  method: 'GET',
  paths: ['/api/admin/lock-outs'],
  role: 'operator',
  input: { query: Type.Object(pageArguments) },
  output: pageShown(lockOutSchema, lockOutJson),
  refusals: ['argument_invalid', 'cursor_invalid'],
  async perform({ input: { query }, store, now, lockOuts }) {
    const after = CURSORS.read(query.cursor);
    if (isRefusal(after)) return after;
    const [part = 'locked', key = '', at = 0, id = 0] = after ?? [];
    const limit = limitIn(query);
    if (part === 'waiting') {
      const before = id === 0 ? undefined : { at, id };
      const { items, next } = await lockOuts.waits(store, before, Math.min(limit, MOST_REFUSALS), now);
      return answer({ items, next: next && CURSORS.after(['waiting', '', next.at, next.id]) });
    }
    const place = after && { key, id };
    const users = await store.users.search({ lockedAt: now }, place, limit + 1);
    const page = cursorPage(users, limit, CURSORS, (user) => ['locked', user.key, 0, user.id] as const);
    const items = await lockOuts.ofUsers(store, page.items, now);
    return answer({ items, next: page.next ?? CURSORS.after(['waiting', '', 0, 0]) });
  },
});
