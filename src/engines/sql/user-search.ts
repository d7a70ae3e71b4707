import { type User, userKey } from '../../core/domain/user.ts';
import type { UserFilter, UserOrder, UserPlace } from '../../core/storage/people.ts';
import type { UsersRead } from '../../core/storage/store.ts';
import { type Condition, endOfPrefix, type Listing, listed, numbered, orderedQuery } from './people-sql.ts';
import { SELECT_USERS, toUser } from './sql.ts';
import type { Reading } from './statement.ts';

/** How an engine finds users with a text in them. The text is in the form of keys. */
export interface UserSearch {
  /** Finds them by its index, by ascending ids behind this one. */
  byIndex(part: string, afterId: number, limit: number): Listing;
  /** Joins the searched text to the users `u`, for lists with another condition. */
  readonly join: string;
  /** The condition on the joined text. */
  containing(part: string): Condition;
}

/** A condition of a filter in SQL, and the same one for a user who is read already. */
interface UserCondition extends Condition {
  passes(user: User): boolean;
}

/** The conditions of a filter beside its part. The partial indexes of each engine have these very texts. */
function conditionsOf(filter: UserFilter): UserCondition[] {
  const { prefix, administrators, disabled, lockedAt, neverLoggedIn, withoutSecondFactor } = filter;
  const conditions: UserCondition[] = [];
  const add = (sql: string, values: (string | number)[], passes: UserCondition['passes']) =>
    conditions.push({ sql, values, passes });
  if (prefix !== undefined)
    add('u.key >= ? AND u.key < ?', [prefix, endOfPrefix(prefix)], ({ key }) => key.startsWith(prefix));
  if (administrators === true) add('u.administrator', [], ({ administrator }) => administrator);
  if (disabled === true) add('u.disabled', [], (user) => user.disabled);
  if (lockedAt !== undefined)
    add('u.locked_until > 0 AND u.locked_until > ?', [lockedAt], (user) => user.lockedUntil > lockedAt);
  if (neverLoggedIn === true) add('u.last_login_at = 0', [], ({ lastLoginAt }) => lastLoginAt === 0);
  if (withoutSecondFactor === true) add('NOT u.second_factor', [], ({ hasSecondFactor }) => !hasSecondFactor);
  return conditions;
}

const BY_KEY: UserOrder = { by: 'key', descending: false };

/** Keys are compared as the engines do, by code points. */
function compared(one: UserPlace, other: UserPlace, { by, descending }: UserOrder): number {
  const times = by === 'key' ? 0 : (one.lastLoginAt ?? 0) - (other.lastLoginAt ?? 0);
  const ascending = times || Buffer.compare(Buffer.from(one.key), Buffer.from(other.key));
  return descending ? -ascending : ascending;
}

/** The users that pass the conditions, after `after`. */
function listing(
  select: string,
  conditions: readonly Condition[],
  { by, descending }: UserOrder,
  after: UserPlace | undefined,
  limit: number,
): Listing {
  const [direction, beyond] = descending ? [' DESC', '<'] : ['', '>'];
  const order = by === 'key' ? `u.key${direction}` : `u.last_login_at${direction}, u.key${direction}`;
  const place: Condition[] =
    after === undefined
      ? []
      : by === 'key'
        ? [{ sql: `u.key ${beyond} ?`, values: [after.key] }]
        : [{ sql: `(u.last_login_at, u.key) ${beyond} (?, ?)`, values: [after.lastLoginAt ?? 0, after.key] }];
  const all = [...conditions, ...place];
  return {
    text: numbered(orderedQuery(select, all, order)),
    values: [...all.flatMap(({ values }) => values), limit],
  };
}

/** Counts the rows of a listing. */
const counting = ({ text, values }: Listing): Listing => ({
  text: `SELECT count(*) AS users FROM (${text}) AS found`,
  values,
});

/** So many users who have a part are filtered and sorted here. The database walks along an index to find some of more. */
const FEW = 2_000;

/** Lists and counts the users that pass a filter. */
export function userSearchBy(db: Reading, search: UserSearch): Pick<UsersRead, 'search' | 'countUpTo'> {
  const list = (listing: Listing) => listed(db, 'users', listing);
  const usersOf = async (listing: Listing) => (await list(listing)).map(toUser);
  /** Those who have the part and pass the conditions; undefined if many users have the part. */
  const fewWith = async (part: string, conditions: readonly UserCondition[]) => {
    const users = await usersOf(search.byIndex(userKey(part), 0, FEW + 1));
    return users.length > FEW ? undefined : users.filter((user) => conditions.every((c) => c.passes(user)));
  };
  return {
    async search(filter, after, limit, order) {
      const conditions = conditionsOf(filter);
      const { part } = filter;
      const sorted = order ?? BY_KEY;
      if (part === undefined) return usersOf(listing(SELECT_USERS, conditions, sorted, after, limit));
      if (order === undefined && conditions.length === 0)
        return usersOf(search.byIndex(userKey(part), after?.id ?? 0, limit));
      const few = await fewWith(part, conditions);
      if (few === undefined) {
        const all = [...conditions, search.containing(userKey(part))];
        return usersOf(listing(`${SELECT_USERS} ${search.join}`, all, sorted, after, limit));
      }
      const behind = few.filter((user) => after === undefined || compared(user, after, sorted) > 0);
      return behind.sort((one, other) => compared(one, other, sorted)).slice(0, limit);
    },
    async countUpTo(most, filter) {
      const conditions = conditionsOf(filter);
      const { part } = filter;
      if (part !== undefined && conditions.length > 0) {
        const few = await fewWith(part, conditions);
        return few && Math.min(few.length, most);
      }
      const found =
        part === undefined
          ? listing('SELECT 1 FROM users u', conditions, BY_KEY, undefined, most)
          : search.byIndex(userKey(part), 0, most);
      return (await list(counting(found)))[0]?.users as number;
    },
  };
}
