import type {
  Attempts,
  AttemptsRead,
  CounterKey,
  LoginAttempt,
  StoredThrottleState,
} from '../../core/storage/store.ts';
import { ATTEMPTS, counterBytes, type SqlRow, toThrottleState } from '../sql/sql.ts';
import { type Reading, statements } from '../sql/statement.ts';
import { counterKey } from './keys.ts';
import type { PostgresWriting } from './statement.ts';

const SQL = statements('attempts', {
  ...ATTEMPTS,
  lockUser: 'SELECT 1 FROM users WHERE key = $1 FOR UPDATE',
  // A counter that another unit is writing is young: it is passed over.
  trim: `DELETE FROM attempts WHERE key IN
    (SELECT key FROM attempts ORDER BY wait_until > $2, last_failure_at
     LIMIT greatest((SELECT count(*) FROM attempts) - $1, 0) FOR UPDATE SKIP LOCKED)`,
  sweepFamiliar: `DELETE FROM familiar_addresses WHERE (user_id, address) IN
    (SELECT user_id, address FROM familiar_addresses WHERE last_login_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
});

const bytes = (key: CounterKey) => Buffer.from(key, 'hex');

async function findState(
  db: Reading,
  { userKey, address, keys }: LoginAttempt,
): Promise<StoredThrottleState> {
  const [row] = await db.rows(SQL.throttleState, userKey ?? null, address, ...counterBytes(keys));
  return toThrottleState(row as SqlRow);
}

/** The counters and familiar addresses of read units. */
export function attemptsRead(db: Reading): AttemptsRead {
  return { throttleState: (attempt) => findState(db, attempt) };
}

/** The counters and familiar addresses of one write unit. It locks each counter that it reads or writes, so that none is counted twice. */
export function attemptsIn(db: PostgresWriting): Attempts {
  return {
    async throttleState(attempt) {
      const { userKey, keys } = attempt;
      const isThere = userKey !== undefined && (await db.rows(SQL.lockUser, userKey)).length > 0;
      for (const key of counterBytes(keys)) await db.hold(counterKey(key));
      // A user who is added during the wait for the counters would be found without a lock.
      return findState(db, isThere ? attempt : { ...attempt, userKey: undefined });
    },
    async put(key, name, { failures, since, lastFailureAt, waitUntil }) {
      const nameKey = name === undefined ? null : bytes(name);
      await db.hold(counterKey(bytes(key)));
      await db.send(SQL.put, bytes(key), nameKey, failures, since, lastFailureAt, waitUntil);
    },
    async remove(key) {
      await db.hold(counterKey(bytes(key)));
      await db.send(SQL.remove, bytes(key));
    },
    removeOfName: (name) => db.send(SQL.removeOfName, bytes(name)),
    trim: (most, now) => db.send(SQL.trim, most, now),
    setFamiliar: (userId, address, at) => db.send(SQL.setFamiliar, userId, address, at),
    forgetFamiliar: (userId, address) => db.send(SQL.forgetFamiliar, userId, address),
    sweepFamiliar: (at, limit) => db.change(SQL.sweepFamiliar, at, limit),
  };
}
