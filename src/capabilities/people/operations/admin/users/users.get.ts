import { cursorPage, cursorsOf } from '../../../../../core/domain/cursor.ts';
import { isRefusal, refuse } from '../../../../../core/domain/refusal.ts';
import { userKey } from '../../../../../core/domain/user.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import { limitIn, pageArguments, pageShown } from '../../../../../core/representations/admin/page.ts';
import { Type } from '../../../../../core/schema.ts';
import { listedUserJson, listedUserShown } from '../../../representations/admin/user.ts';

/** A search has another order, so it does not accept the cursors of the list. */
const BY_KEY = cursorsOf('users', 'string', 'number');
const BY_ID = cursorsOf('users searched', 'string', 'number');

/** The index finds three characters in a row. */
const SHORTEST = 3;
const TOO_SHORT = `search (it takes ${SHORTEST} characters or more; prefix takes fewer)`;
const BOTH = 'search (give it or prefix, not both: each has an index of its own)';

const filter = (which: string) =>
  Type.Optional(Type.String({ pattern: '^(true|false)?$', description: `true: ${which}; or false` }));

/** Specification, section 16: list the users. */
export default adminOperation({
  id: 'org/service/repository/admin/users/users.get',
  summary: 'List the users by name, or search them.',
  method: 'GET',
  paths: ['/api/admin/users'],
  role: 'operator',
  input: {
    query: Type.Object({
      ...pageArguments,
      prefix: Type.Optional(Type.String({ description: 'what the user names begin with', examples: ['al'] })),
      search: Type.Optional(
        Type.String({
          description:
            'a part of the user name, of first and last name, or of the e-mail; at least three characters',
        }),
      ),
      administrators: filter('only those who were themselves made administrators'),
      disabled: filter('only those who are disabled'),
      locked: filter('only those who are locked out now'),
    }),
  },
  output: pageShown(listedUserShown, listedUserJson),
  refusals: ['argument_invalid', 'cursor_invalid'],
  async perform({ input: { query }, store, now, keyOf, isLocked }) {
    const { prefix, search } = query;
    if (search && [...userKey(search)].length < SHORTEST)
      return refuse('argument_invalid', { detail: TOO_SHORT });
    if (search && prefix) return refuse('argument_invalid', { detail: BOTH });
    const cursors = search ? BY_ID : BY_KEY;
    const after = cursors.read(query.cursor);
    if (isRefusal(after)) return after;
    const limit = limitIn(query);
    const filter = {
      prefix: prefix ? keyOf(prefix) : undefined,
      part: search || undefined,
      administrators: query.administrators === 'true',
      disabled: query.disabled === 'true',
      lockedAt: query.locked === 'true' ? now : undefined,
    };
    const users = await store.users.search(filter, after && { key: after[0], id: after[1] }, limit + 1);
    const { items, next } = cursorPage(users, limit, cursors, ({ key, id }) => [key, id] as const);
    const profiles = await store.profiles.ofUsers(items.map(({ id }) => id));
    const listed = items.map((user) => ({
      user,
      profile: profiles.get(user.id) ?? {},
      locked: isLocked(user),
    }));
    // A lock-out ends earlier than the store tells if its duration was set to less meanwhile.
    const isListed = ({ locked }: (typeof listed)[number]) => locked || filter.lockedAt === undefined;
    return answer({ items: listed.filter(isListed), next });
  },
});
