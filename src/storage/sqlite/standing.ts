import type { DatabaseSync } from 'node:sqlite';
import type { Counter } from '../../domain/lockout.ts';
import type { AskedTry, AttemptKeys, KeptStanding } from '../store.ts';
import { toUser, USER_COLUMNS } from './users.ts';

const COLUMNS = ['failures', 'since', 'last_failure_at', 'wait_until'];

type Which = keyof AttemptKeys;
const columnsOf = (which: Which) => COLUMNS.map((column) => `${which}.${column} AS ${which}_${column}`);

const FIND = `SELECT ${USER_COLUMNS}, f.last_login_at,
    ${[...columnsOf('name'), ...columnsOf('pair'), ...columnsOf('address')].join(', ')}
  FROM (SELECT 1) LEFT JOIN users u ON u.key = ?
    LEFT JOIN familiar_addresses f ON f.user_id = u.id AND f.address = ?
    LEFT JOIN attempts name ON name.key = ?
    LEFT JOIN attempts pair ON pair.key = ?
    LEFT JOIN attempts address ON address.key = ?`;

type Row = Record<string, unknown>;

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

/** Finds how tries stand, each in one row. */
export function standingOn(db: DatabaseSync): (asked: AskedTry) => KeptStanding {
  const find = db.prepare(FIND);
  return ({ userKey, address, keys }) => {
    const hmacs = [keys.name, keys.pair, keys.address].map((key) => Buffer.from(key, 'hex'));
    const row = find.get(userKey ?? null, address, ...hmacs) as Row;
    return {
      user: row.id === null ? undefined : toUser(row),
      counters: {
        name: counterIn(row, 'name'),
        pair: counterIn(row, 'pair'),
        address: counterIn(row, 'address'),
      },
      familiarSince: (row.last_login_at as number | null) ?? undefined,
    };
  };
}
