import type { DatabaseSync } from 'node:sqlite';
import type { AskedTry, Attempts, CounterKey, StoredThrottleState } from '../store.ts';
import { counterBytes, joinedCounters, STANDING_COLUMNS, standingIn } from '../throttle-row.ts';
import { toUser, USER_COLUMNS } from './users.ts';

const FIND = `SELECT ${USER_COLUMNS}, ${STANDING_COLUMNS}
  FROM (SELECT 1) LEFT JOIN users u ON u.key = ?
    LEFT JOIN familiar_addresses f ON f.user_id = u.id AND f.address = ?
    ${joinedCounters(() => '?')}`;

/** Returns a function that reads a throttle state, all of it in one row. */
export function throttleStateOn(db: DatabaseSync): (asked: AskedTry) => StoredThrottleState {
  const find = db.prepare(FIND);
  return ({ userKey, address, keys }) => {
    const row = find.get(userKey ?? null, address, ...counterBytes(keys)) as Record<string, unknown>;
    return standingIn(row, toUser);
  };
}

const bytes = (key: CounterKey) => Buffer.from(key, 'hex');

/** The counters and familiar addresses over one connection. */
export function attemptsOn(db: DatabaseSync): Attempts {
  const throttleState = throttleStateOn(db);
  const put = db.prepare('INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM attempts WHERE key = ?');
  const removeOfName = db.prepare('DELETE FROM attempts WHERE name_key = ?');
  const count = db.prepare('SELECT count(*) AS counters FROM attempts');
  const trim = db.prepare(
    `DELETE FROM attempts WHERE key IN
       (SELECT key FROM attempts ORDER BY wait_until > ?, last_failure_at LIMIT ?)`,
  );
  const setFamiliar = db.prepare('INSERT OR REPLACE INTO familiar_addresses VALUES (?, ?, ?)');
  const forget = db.prepare('DELETE FROM familiar_addresses WHERE user_id = ? AND address = ?');
  const sweep = db.prepare(
    `DELETE FROM familiar_addresses WHERE (user_id, address) IN
       (SELECT user_id, address FROM familiar_addresses WHERE last_login_at < ? LIMIT ?)`,
  );

  return {
    standing: async (asked) => throttleState(asked),
    async put(key, name, { failures, since, lastFailureAt, waitUntil }) {
      put.run(bytes(key), name === undefined ? null : bytes(name), failures, since, lastFailureAt, waitUntil);
    },
    async remove(key) {
      remove.run(bytes(key));
    },
    async removeOfName(name) {
      removeOfName.run(bytes(name));
    },
    async trim(most, now) {
      const excess = (count.get()?.counters as number) - most;
      if (excess > 0) trim.run(now, excess);
    },
    async setFamiliar(userId, address, at) {
      setFamiliar.run(userId, address, at);
    },
    async forgetFamiliar(userId, address) {
      forget.run(userId, address);
    },
    sweepFamiliar: async (at, limit) => Number(sweep.run(at, limit).changes),
  };
}
