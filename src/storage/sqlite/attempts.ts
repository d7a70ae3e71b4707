import type { DatabaseSync } from 'node:sqlite';
import type { Attempts, CounterKey } from '../store.ts';
import { standingOn } from './throttle-state.ts';

const bytes = (key: CounterKey) => Buffer.from(key, 'hex');

/** The attempt noun over one connection. */
export function attemptsOn(db: DatabaseSync): Attempts {
  const standing = standingOn(db);
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
    standing: async (asked) => standing(asked),
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
