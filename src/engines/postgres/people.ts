import type { UsersRead } from '../../core/storage/store.ts';
import type { Listing } from '../sql/people-sql.ts';
import { SELECT_USERS, type SqlRow } from '../sql/sql.ts';
import { type Reading, type Statement, statement } from '../sql/statement.ts';
import { type UserSearch, userSearchBy } from '../sql/user-search.ts';

const SEARCH: UserSearch = {
  byIndex: (part, afterId, limit) => ({
    text: `${SELECT_USERS} JOIN users_with($1, $2, $3) AS found (id) ON found.id = u.id ORDER BY found.id`,
    values: [part, afterId, limit],
  }),
  join: 'JOIN user_search s ON s.user_id = u.id',
  containing: (part) => ({ sql: 'position(? IN s.text) > 0', values: [part] }),
};

/** Lists and counts the users that pass a filter. */
export const userSearch = (db: Reading): Pick<UsersRead, 'search' | 'countUpTo'> =>
  userSearchBy(listingOn(db, 'users'), SEARCH);

const cached = new Map<string, Statement>();

/** Runs listings of a group of statements. Each text is one statement. */
export function listingOn(db: Reading, group: string): (listing: Listing) => Promise<readonly SqlRow[]> {
  return ({ text, values }) => {
    const query = cached.get(text) ?? statement(group, `list ${cached.size}`, text);
    cached.set(text, query);
    return db.rows(query, ...values);
  };
}
