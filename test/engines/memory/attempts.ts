import type { Attempts, CounterKey } from '../../../src/core/storage/store.ts';
import { eachCounter } from '../../../src/core/storage/store.ts';
import { every, one, type Sight, type Tables } from './tables.ts';

/** The attempts of the memory engine. */
export function attemptsIn(tables: Tables, sight: Sight): Attempts {
  const counter = (key: CounterKey) => {
    const row = one(tables.attempts, key, sight);
    if (row === undefined) return undefined;
    const { failures, since, lastFailureAt, waitUntil } = row;
    return { failures, since, lastFailureAt, waitUntil };
  };
  return {
    async throttleState({ userKey, address, keys }) {
      const user = every(tables.users, sight).find(({ key }) => key === userKey);
      const counters = eachCounter((which) => counter(keys[which]));
      const familiar = user && one(tables.familiar, `${user.id} ${address}`, sight);
      return { user, counters, familiarSince: familiar?.at };
    },
    async put(key, name, counter) {
      tables.attempts.set(key, { ...counter, key, name });
    },
    async remove(key) {
      tables.attempts.delete(key);
    },
    async removeOfName(name) {
      for (const row of tables.attempts.all()) if (row.name === name) tables.attempts.delete(row.key);
    },
    async trim(most, now) {
      const rows = tables.attempts.all();
      const waits = (until: number) => Number(until > now);
      rows.sort((a, b) => waits(a.waitUntil) - waits(b.waitUntil) || a.lastFailureAt - b.lastFailureAt);
      for (const row of rows.slice(0, Math.max(0, rows.length - most))) tables.attempts.delete(row.key);
    },
    async setFamiliar(userId, address, at) {
      tables.familiar.set(`${userId} ${address}`, { userId, address, at });
    },
    async forgetFamiliar(userId, address) {
      tables.familiar.delete(`${userId} ${address}`);
    },
    async sweepFamiliar(at, limit) {
      const old = tables.familiar.all().filter((row) => row.at < at);
      const swept = old.slice(0, limit);
      for (const { userId, address } of swept) tables.familiar.delete(`${userId} ${address}`);
      return swept.length;
    },
  };
}
