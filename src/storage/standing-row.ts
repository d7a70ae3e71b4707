import type { Counter } from '../domain/lockout.ts';
import type { User } from '../domain/user.ts';
import type { CounterKeys, KeptStanding } from './store.ts';

type Row = Readonly<Record<string, unknown>>;
type Which = keyof CounterKeys;

const columnsOf = (which: Which) =>
  ['failures', 'since', 'last_failure_at', 'wait_until'].map(
    (column) => `${which}.${column} AS ${which}_${column}`,
  );

/** The columns of {@link standingIn} beside the user's: of the counters, and of the familiar address `f`. */
export const STANDING_COLUMNS = [
  'f.last_login_at',
  ...columnsOf('name'),
  ...columnsOf('pair'),
  ...columnsOf('address'),
].join(', ');

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

/** How a try stands, in the one row of a database that tells all of it. */
export function standingIn(row: Row, toUser: (row: Row) => User): KeptStanding {
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
