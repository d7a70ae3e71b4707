import type { Counter } from '../../domain/lockout.ts';
import type { AskedTry, AttemptKeys, KeptStanding } from '../store.ts';
import { type Reading, type Row, statement } from './statement.ts';
import { toUser, USER_COLUMNS } from './users.ts';

const COLUMNS = ['failures', 'since', 'last_failure_at', 'wait_until'];

type Which = keyof AttemptKeys;
const columnsOf = (which: Which) => COLUMNS.map((column) => `${which}.${column} AS ${which}_${column}`);

const FIND = statement(
  'attempts',
  'standing',
  `SELECT ${USER_COLUMNS}, f.last_login_at,
     ${[...columnsOf('name'), ...columnsOf('pair'), ...columnsOf('address')].join(', ')}
   FROM (SELECT) asked LEFT JOIN users u ON u.key = $1
     LEFT JOIN familiar_addresses f ON f.user_id = u.id AND f.address = $2
     LEFT JOIN attempts name ON name.key = $3
     LEFT JOIN attempts pair ON pair.key = $4
     LEFT JOIN attempts address ON address.key = $5`,
);

function counterIn(row: Row, which: Which): Counter | undefined {
  const failures = row[`${which}_failures`];
  if (failures === null) return undefined;
  return {
    failures: failures as number,
    since: row[`${which}_since`] as number,
    lastFailureAt: row[`${which}_last_failure_at`] as number,
    waitUntil: row[`${which}_wait_until`] as number,
  };
}

/** How a try stands, by one statement. */
export async function findStanding(db: Reading, { userKey, address, keys }: AskedTry): Promise<KeptStanding> {
  const hmacs = [keys.name, keys.pair, keys.address].map((key) => Buffer.from(key, 'hex'));
  const [row] = (await db.rows(FIND, userKey ?? null, address, ...hmacs)) as [Row];
  return {
    user: row.id === null ? undefined : toUser(row),
    counters: {
      name: counterIn(row, 'name'),
      pair: counterIn(row, 'pair'),
      address: counterIn(row, 'address'),
    },
    familiarSince: (row.last_login_at as number | null) ?? undefined,
  };
}
