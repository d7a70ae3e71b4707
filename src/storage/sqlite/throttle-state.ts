import type { DatabaseSync } from 'node:sqlite';
import type { AskedTry, StoredThrottleState } from '../store.ts';
import { counterBytes, joinedCounters, STANDING_COLUMNS, standingIn } from '../throttle-row.ts';
import { toUser, USER_COLUMNS } from './users.ts';

const FIND = `SELECT ${USER_COLUMNS}, ${STANDING_COLUMNS}
  FROM (SELECT 1) LEFT JOIN users u ON u.key = ?
    LEFT JOIN familiar_addresses f ON f.user_id = u.id AND f.address = ?
    ${joinedCounters(() => '?')}`;

/** Finds how tries stand, each in one row. */
export function standingOn(db: DatabaseSync): (asked: AskedTry) => StoredThrottleState {
  const find = db.prepare(FIND);
  return ({ userKey, address, keys }) => {
    const row = find.get(userKey ?? null, address, ...counterBytes(keys)) as Record<string, unknown>;
    return standingIn(row, toUser);
  };
}
