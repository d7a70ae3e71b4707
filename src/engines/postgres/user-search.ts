import { SELECT_USERS } from '../sql/sql.ts';
import type { UserSearch } from '../sql/user-search.ts';

export const SEARCH: UserSearch = {
  byIndex: (part, afterId, limit) => ({
    text: `${SELECT_USERS} JOIN users_with($1, $2, $3) AS found (id) ON found.id = u.id ORDER BY found.id`,
    values: [part, afterId, limit],
  }),
  join: 'JOIN user_search s ON s.user_id = u.id',
  containing: (part) => ({ sql: 'position(? IN s.text) > 0', values: [part] }),
};
