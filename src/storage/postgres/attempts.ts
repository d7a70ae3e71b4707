import type { Attempts, AttemptsRead, CounterKey } from '../store.ts';
import { counterBytes } from '../throttle-row.ts';
import { counterKey } from './keys.ts';
import { type Reading, statement, type Writing } from './statement.ts';
import { findStanding } from './throttle-state.ts';
import { holdUser } from './users.ts';

const PUT = statement(
  'attempts',
  'put',
  `INSERT INTO attempts VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (key) DO UPDATE SET name_key = excluded.name_key,
     failures = excluded.failures, since = excluded.since, last_failure_at = excluded.last_failure_at,
     wait_until = excluded.wait_until`,
);
const REMOVE = statement('attempts', 'remove', 'DELETE FROM attempts WHERE key = $1');
const REMOVE_OF_NAME = statement('attempts', 'removeOfName', 'DELETE FROM attempts WHERE name_key = $1');
// Counters that somebody is writing just now are young, and are passed over.
const TRIM = statement(
  'attempts',
  'trim',
  `DELETE FROM attempts WHERE key IN
     (SELECT key FROM attempts ORDER BY wait_until > $2, last_failure_at
      LIMIT greatest((SELECT count(*) FROM attempts) - $1, 0) FOR UPDATE SKIP LOCKED)`,
);
const SET_FAMILIAR = statement(
  'attempts',
  'setFamiliar',
  `INSERT INTO familiar_addresses VALUES ($1, $2, $3)
   ON CONFLICT (user_id, address) DO UPDATE SET last_login_at = excluded.last_login_at`,
);
const FORGET = statement(
  'attempts',
  'forget',
  'DELETE FROM familiar_addresses WHERE user_id = $1 AND address = $2',
);
const SWEEP = statement(
  'attempts',
  'sweep',
  `DELETE FROM familiar_addresses WHERE (user_id, address) IN
     (SELECT user_id, address FROM familiar_addresses WHERE last_login_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
);

const bytes = (key: CounterKey) => Buffer.from(key, 'hex');

/** The attempt noun of read units. */
export function attemptsRead(db: Reading): AttemptsRead {
  return { standing: (asked) => findStanding(db, asked) };
}

/** The attempt noun of one write unit: a counter that it touches is its own until it ends, so that none is counted twice. */
export function attemptsIn(db: Writing): Attempts {
  return {
    async standing(asked) {
      const { userKey, keys } = asked;
      const isThere = userKey !== undefined && (await holdUser(db, userKey));
      for (const key of counterBytes(keys)) await db.hold(counterKey(key));
      // Who is added while the counters are waited for would be found, and not held.
      return findStanding(db, isThere ? asked : { ...asked, userKey: undefined });
    },
    async put(key, name, { failures, since, lastFailureAt, waitUntil }) {
      const nameKey = name === undefined ? null : bytes(name);
      await db.hold(counterKey(bytes(key)));
      await db.send(PUT, bytes(key), nameKey, failures, since, lastFailureAt, waitUntil);
    },
    async remove(key) {
      await db.hold(counterKey(bytes(key)));
      await db.send(REMOVE, bytes(key));
    },
    removeOfName: (name) => db.send(REMOVE_OF_NAME, bytes(name)),
    trim: (most, now) => db.send(TRIM, most, now),
    setFamiliar: (userId, address, at) => db.send(SET_FAMILIAR, userId, address, at),
    forgetFamiliar: (userId, address) => db.send(FORGET, userId, address),
    sweepFamiliar: (at, limit) => db.change(SWEEP, at, limit),
  };
}
