import type { Static } from 'typebox';
import { cursorPage, cursorsOf } from '../../../../../core/domain/cursor.ts';
import { isRefusal, refuse } from '../../../../../core/domain/refusal.ts';
import { type User, userKey } from '../../../../../core/domain/user.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import {
  countedPageShown,
  limitIn,
  MOST_COUNTED,
  pageArguments,
  totalArgument,
  totalOf,
} from '../../../../../core/representations/admin/page.ts';
import { Type } from '../../../../../core/schema.ts';
import type { UserFilter } from '../../../../../core/storage/people.ts';
import { listedUserJson, listedUserShown } from '../../../representations/admin/user.ts';

/** Each order has cursors of its own, and accepts those of no other one. */
const cursorsOfList = (list: string) => cursorsOf(list, 'string', 'number', 'number');

/** The order that a call asks for, if it asks for one. */
function orderIn(sort: string | undefined, isSearch: boolean) {
  if (!sort) return { order: undefined, cursors: cursorsOfList(isSearch ? 'users searched' : 'users') };
  const by = sort.endsWith('userName') ? 'key' : 'lastLoginAt';
  return {
    order: { by, descending: sort.startsWith('-') } as const,
    cursors: cursorsOfList(`users by ${sort}`),
  };
}

/** The index finds three characters in a row. */
const SHORTEST = 3;
const TOO_SHORT = `search (it takes ${SHORTEST} characters or more; prefix takes fewer)`;
const BOTH = 'search (give it or prefix, not both: each has an index of its own)';

const filter = (which: string) =>
  Type.Optional(Type.String({ pattern: '^(true|false)?$', description: `true: ${which}; or false` }));

const QUERY = Type.Object({
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
  withoutSecondFactor: filter('only those who have no second factor'),
  neverSignedIn: filter('only those who never signed in'),
  sort: Type.Optional(
    Type.String({
      pattern: '^(-?(userName|lastSignIn))?$',
      description:
        'userName or lastSignIn, with a - before it from the last to the first; left out: by user name, and the results of a search in no particular order',
    }),
  ),
  ...totalArgument,
});

/** The filter of a call. An argument that is false or empty counts as left out. */
function filterIn(query: Static<typeof QUERY>, now: number, keyOf: (name: string) => string): UserFilter {
  const { prefix, search } = query;
  return {
    prefix: prefix ? keyOf(prefix) : undefined,
    part: search || undefined,
    administrators: query.administrators === 'true',
    disabled: query.disabled === 'true',
    lockedAt: query.locked === 'true' ? now : undefined,
    withoutSecondFactor: query.withoutSecondFactor === 'true',
    neverLoggedIn: query.neverSignedIn === 'true',
  };
}

/** Specification, section 16: list the users. */
export default adminOperation({
  id: 'org/service/repository/admin/users/users.get',
  summary: 'List the users by name, or search them.',
  method: 'GET',
  paths: ['/api/admin/users'],
  role: 'operator',
  input: { query: QUERY },
  output: countedPageShown(listedUserShown, listedUserJson),
  refusals: ['argument_invalid', 'cursor_invalid'],
  async perform({ input: { query }, store, now, keyOf, isLocked }) {
    const { prefix, search } = query;
    if (search && [...userKey(search)].length < SHORTEST)
      return refuse('argument_invalid', { detail: TOO_SHORT });
    if (search && prefix) return refuse('argument_invalid', { detail: BOTH });
    const { order, cursors } = orderIn(query.sort, Boolean(search));
    const after = cursors.read(query.cursor);
    if (isRefusal(after)) return after;
    const limit = limitIn(query);
    const filter = filterIn(query, now, keyOf);
    const place = after && { key: after[0], id: after[1], lastLoginAt: after[2] };
    const [users, counted] = await Promise.all([
      store.users.search(filter, place, limit + 1, order),
      query.total === 'true' ? store.users.countUpTo(MOST_COUNTED + 1, filter) : undefined,
    ]);
    const placeOf = ({ key, id, lastLoginAt }: User) => [key, id, lastLoginAt] as const;
    const { items, next } = cursorPage(users, limit, cursors, placeOf);
    const profiles = await store.profiles.ofUsers(items.map(({ id }) => id));
    const listed = items.map((user) => ({
      user,
      profile: profiles.get(user.id) ?? {},
      locked: isLocked(user),
    }));
    // A lock-out ends earlier than the store tells if its duration was set to less meanwhile.
    const isListed = ({ locked }: (typeof listed)[number]) => locked || filter.lockedAt === undefined;
    return answer({ items: listed.filter(isListed), next, total: totalOf(counted) });
  },
});
