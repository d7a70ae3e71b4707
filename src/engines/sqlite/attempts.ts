import type { DatabaseSync } from 'node:sqlite';
import type { Attempts, CounterKey, LoginAttempt, StoredThrottleState } from '../../core/storage/store.ts';
import { ATTEMPTS, counterBytes, type SqlRow, toThrottleState } from '../sql/sql.ts';
import { prepared } from './prepare.ts';

const { throttleState, ...OTHERS } = ATTEMPTS;
const STATEMENTS = {
  ...OTHERS,
  count: 'SELECT count(*) AS counters FROM attempts',
  trim: `DELETE FROM attempts WHERE key IN
    (SELECT key FROM attempts ORDER BY wait_until > $1, last_failure_at LIMIT $2)`,
  sweepFamiliar: `DELETE FROM familiar_addresses WHERE (user_id, address) IN
    (SELECT user_id, address FROM familiar_addresses WHERE last_login_at < $1 LIMIT $2)`,
};

/** Returns a function that reads a throttle state, all of it in one row. */
export function throttleStateOn(db: DatabaseSync): (attempt: LoginAttempt) => StoredThrottleState {
  const { find } = prepared(db, { find: throttleState });
  return ({ userKey, address, keys }) =>
    toThrottleState(find.get(userKey ?? null, address, ...counterBytes(keys)) as SqlRow);
}

const bytes = (key: CounterKey) => Buffer.from(key, 'hex');

/** The counters and familiar addresses over one connection. */
export function attemptsOn(db: DatabaseSync): Attempts {
  const find = throttleStateOn(db);
  const sql = prepared(db, STATEMENTS);
  return {
    throttleState: async (attempt) => find(attempt),
    async put(key, name, { failures, since, lastFailureAt, waitUntil }) {
      const nameKey = name === undefined ? null : bytes(name);
      sql.put.run(bytes(key), nameKey, failures, since, lastFailureAt, waitUntil);
    },
    async remove(key) {
      sql.remove.run(bytes(key));
    },
    async removeOfName(name) {
      sql.removeOfName.run(bytes(name));
    },
    async trim(most, now) {
      const excess = (sql.count.get()?.counters as number) - most;
      if (excess > 0) sql.trim.run(now, excess);
    },
    async setFamiliar(userId, address, at) {
      sql.setFamiliar.run(userId, address, at);
    },
    async forgetFamiliar(userId, address) {
      sql.forgetFamiliar.run(userId, address);
    },
    sweepFamiliar: async (at, limit) => Number(sql.sweepFamiliar.run(at, limit).changes),
  };
}
