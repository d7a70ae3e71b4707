import type { Counter } from '../domain/lockout.ts';
import type { User } from '../domain/user.ts';
import { COUNTERS, type CounterKeys, type StoredThrottleState } from './store.ts';

type ThrottleRow = Readonly<Record<string, unknown>>;
type Which = keyof CounterKeys;

const columnsOf = (which: Which) =>
  ['failures', 'since', 'last_failure_at', 'wait_until'].map(
    (column) => `${which}.${column} AS ${which}_${column}`,
  );

/** The columns of {@link standingIn} beside the user's: of the counters, and of the familiar address `f`. */
export const STANDING_COLUMNS = ['f.last_login_at', ...COUNTERS.flatMap(columnsOf)].join(', ');

/** Joins each counter; `placeholder` gives that of its key, which stands at this index of {@link COUNTERS}. */
export function joinedCounters(placeholder: (index: number) => string): string {
  return COUNTERS.map(
    (which, index) => `LEFT JOIN attempts ${which} ON ${which}.key = ${placeholder(index)}`,
  ).join('\n');
}

/** The keys of the counters as bytes, in the order of {@link COUNTERS}. */
export function counterBytes(keys: CounterKeys): Buffer[] {
  return COUNTERS.map((which) => Buffer.from(keys[which], 'hex'));
}

/** What `of` gives for each of the counters. */
export function eachCounter<T>(of: (which: Which) => T): Record<Which, T> {
  return Object.fromEntries(COUNTERS.map((which) => [which, of(which)])) as Record<Which, T>;
}

function counterIn(row: ThrottleRow, which: Which): Counter | undefined {
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
export function standingIn(row: ThrottleRow, toUser: (row: ThrottleRow) => User): StoredThrottleState {
  return {
    user: row.id === null ? undefined : toUser(row),
    counters: eachCounter((which) => counterIn(row, which)),
    familiarSince: (row.last_login_at as number | null) ?? undefined,
  };
}
