import type { AskedTry, StoredThrottleState } from '../store.ts';
import { counterBytes, joinedCounters, STANDING_COLUMNS, standingIn } from '../throttle-row.ts';
import { type Reading, type ResultRow, statement } from './statement.ts';
import { toUser, USER_COLUMNS } from './users.ts';

const FIND = statement(
  'attempts',
  'standing',
  `SELECT ${USER_COLUMNS}, ${STANDING_COLUMNS}
   FROM (SELECT) asked LEFT JOIN users u ON u.key = $1
     LEFT JOIN familiar_addresses f ON f.user_id = u.id AND f.address = $2
     ${joinedCounters((index) => `$${index + 3}`)}`,
);

/** How a try stands, by one statement. */
export async function findStanding(
  db: Reading,
  { userKey, address, keys }: AskedTry,
): Promise<StoredThrottleState> {
  const [row] = (await db.rows(FIND, userKey ?? null, address, ...counterBytes(keys))) as [ResultRow];
  return standingIn(row, toUser);
}
