import { SELECT_USERS } from '../sql/sql.ts';
import type { UserSearch } from '../sql/user-search.ts';

/**
 * A text for FTS5, to be found as it is: in quotes it has no operators. FTS5 ends a text at U+0000, so another character that
 * no text has replaces it.
 */
const quoted = (text: string) => `"${text.replaceAll('"', '""').replaceAll('\0', '\u{10ffff}')}"`;

/** A part of at least this many characters is looked up by every third gram: that leaves few wrong users. */
const LONG = 9;

/** Every third gram of a long part: FTS5 reads all users of each gram, so fewer grams cost less. */
function everyThirdGram(characters: readonly string[]): string {
  const last = characters.length - 3;
  const starts = Array.from({ length: Math.ceil(characters.length / 3) }, (_, at) => Math.min(3 * at, last));
  return starts.map((at) => quoted(characters.slice(at, at + 3).join(''))).join(' ');
}

const PROFILES_OF_USERS = 'LEFT JOIN profiles p ON p.user_id = u.id';
const containing = (value: string) =>
  `instr(user_key(u.key) || char(10) || coalesce(p.searched, ''), ${value}) > 0`;

// FTS5 begins at an id only if that is an integer, and numbers of JavaScript are none.
const BY_INDEX = `WHERE user_search MATCH $1 AND user_search.rowid > CAST($2 AS INTEGER)`;
const JOINED = `${SELECT_USERS} JOIN user_search ON user_search.rowid = u.id`;

/** The function `user_key` is {@link userKey}: keys keep the case of names where it counts. */
export const SEARCH: UserSearch = {
  byIndex(part, afterId, limit) {
    const characters = [...part];
    if (characters.length < LONG)
      return {
        text: `${JOINED} ${BY_INDEX} ORDER BY user_search.rowid LIMIT $3`,
        values: [quoted(part), afterId, limit],
      };
    return {
      text: `${JOINED} ${PROFILES_OF_USERS} ${BY_INDEX} AND ${containing('$4')} ORDER BY user_search.rowid LIMIT $3`,
      values: [everyThirdGram(characters), afterId, limit, part],
    };
  },
  join: PROFILES_OF_USERS,
  containing: (part) => ({ sql: containing('?'), values: [part] }),
};
