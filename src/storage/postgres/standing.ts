import { STANDING_COLUMNS, standingIn } from '../standing-row.ts';
import type { AskedTry, KeptStanding } from '../store.ts';
import { type Reading, type Row, statement } from './statement.ts';
import { toUser, USER_COLUMNS } from './users.ts';

const FIND = statement(
  'attempts',
  'standing',
  `SELECT ${USER_COLUMNS}, ${STANDING_COLUMNS}
   FROM (SELECT) asked LEFT JOIN users u ON u.key = $1
     LEFT JOIN familiar_addresses f ON f.user_id = u.id AND f.address = $2
     LEFT JOIN attempts name ON name.key = $3
     LEFT JOIN attempts pair ON pair.key = $4
     LEFT JOIN attempts address ON address.key = $5`,
);

/** How a try stands, by one statement. */
export async function findStanding(db: Reading, { userKey, address, keys }: AskedTry): Promise<KeptStanding> {
  const hmacs = [keys.name, keys.pair, keys.address].map((key) => Buffer.from(key, 'hex'));
  const [row] = (await db.rows(FIND, userKey ?? null, address, ...hmacs)) as [Row];
  return standingIn(row, toUser);
}
