import type { WhyEmptied } from '../../core/emptied-caches.ts';
import { StoreUnavailable } from '../../core/storage/store.ts';
import { Barrier } from '../cache/barrier.ts';
import type { Changes } from '../cache/recently-read.ts';
import type { SqlRow } from '../sql/sql.ts';
import { type Reading, statement } from '../sql/statement.ts';
import type { PostgresConnection } from './connection.ts';
import type { ReadPool } from './pools.ts';

/** With more revocations than this since the last answer, everything counts as revoked. */
const MOST = 1_000;

/**
 * The snapshot of this statement, whether the server is a standby, and the floor, beside each revocation that is visible in it and was not
 * in the snapshot `$1`: its transaction began after that one was taken, or was open in it. Transactions are compared, and not numbers that are
 * given out in order: those are given before the commit, so a lower one can appear later.
 */
const SINCE = statement(
  'revocations',
  'since',
  `SELECT concat_ws(' ', pg_is_in_recovery()::int, pg_current_snapshot(), (SELECT floor FROM revocation_floor)) AS state, r.key
    FROM (SELECT 1) AS one LEFT JOIN LATERAL (
      SELECT key FROM revocations WHERE xid >= pg_snapshot_xmax($1::text::pg_snapshot)
      UNION ALL
      SELECT key FROM pg_snapshot_xip($1::text::pg_snapshot) AS open (xid) JOIN revocations USING (xid)
      LIMIT ${MOST + 1}) AS r ON true`,
);

/**
 * Raises the floor, at most once a minute, to the oldest transaction that was open a minute ago, and removes the revocations below it.
 * Those above every transaction of this server came with a dump of another one.
 */
const SWEEP = statement(
  'revocations',
  'sweep',
  `WITH present AS MATERIALIZED (SELECT pg_current_snapshot() AS snapshot),
    raised AS (
      INSERT INTO revocation_floor AS f (floor, next, noted_at)
        SELECT pg_snapshot_xmin(snapshot), pg_snapshot_xmin(snapshot), clock_timestamp() FROM present
      ON CONFLICT (single) DO UPDATE
        SET floor = least(f.next, excluded.next), next = excluded.next, noted_at = excluded.noted_at
        WHERE f.noted_at < excluded.noted_at - interval '60 s' OR f.noted_at > excluded.noted_at
      RETURNING f.floor)
    DELETE FROM revocations r USING raised, present WHERE r.xid < raised.floor OR r.xid >= pg_snapshot_xmax(present.snapshot)`,
);

/**
 * Removes revocations that every instance has learnt of, or can no longer learn of. `db` is no connection of validations: they would wait
 * behind a removal of many.
 */
export async function sweepRevocations(db: Reading): Promise<void> {
  await db.rows(SWEEP);
}

/** The last answer: what the server had committed then. */
interface LastAnswer {
  readonly connection: PostgresConnection;
  /** As PostgreSQL writes it: `xmin:xmax:xip,xip`. */
  readonly snapshot: string;
}

/** The oldest transaction that was open in a snapshot. */
const oldestOpenIn = (snapshot: string) => Number(snapshot.slice(0, snapshot.indexOf(':')));

/** Why an answer of so many rows does not tell all that was revoked since the last one; undefined if it does. */
function whyUnknown(
  last: LastAnswer | undefined,
  connection: PostgresConnection,
  rows: number,
  floor: number,
): WhyEmptied | undefined {
  if (last?.connection !== connection) return 'connection';
  if (oldestOpenIn(last.snapshot) < floor) return 'behind';
  return rows > MOST ? 'many' : undefined;
}

/**
 * Learns from the server what was revoked, by one small question for all that wait. Each question tells what became visible since the last
 * answer on its connection. On another connection, after a fault, and when too much was revoked, everything counts as changed.
 */
export class Revocations {
  readonly #readers: ReadPool;
  readonly #changes: Changes;
  #lastAnswer: LastAnswer | undefined;
  readonly #barrier: Barrier;

  /** Before each question it waits for company for `wait` milliseconds. */
  constructor(readers: ReadPool, changes: Changes, wait = 0) {
    this.#readers = readers;
    this.#changes = changes;
    this.#barrier = new Barrier(() => this.#ask(), wait);
  }

  /**
   * Resolves once everything is noted as changed that was revoked before this call. Rejects if the server does not answer: then nothing
   * that is cached may be used.
   */
  upToDate(): Promise<void> {
    return this.#barrier.upToDate();
  }

  async #ask(): Promise<void> {
    const last = this.#lastAnswer;
    try {
      const { reader, rows } = await this.#readers.run(async (reader) => {
        const since = last?.connection === reader ? last.snapshot : null;
        return { reader, rows: await reader.rows(SINCE, since) };
      });
      this.#take(rows, reader, last);
    } catch (error) {
      this.#lastAnswer = undefined;
      this.#changes.noteAll('fault');
      throw error;
    }
  }

  #take(rows: readonly SqlRow[], connection: PostgresConnection, last: LastAnswer | undefined): void {
    const [standby, snapshot = '', floor = '0'] = String(rows[0]?.state).split(' ');
    if (standby !== '0') throw new StoreUnavailable('the server has become a standby');
    const reason = whyUnknown(last, connection, rows.length, Number(floor));
    if (reason !== undefined) this.#changes.noteAll(reason);
    else for (const { key } of rows) if (key !== null) this.#note(key as string);
    this.#lastAnswer = { connection, snapshot };
  }

  #note(key: string): void {
    if (key.startsWith('t')) this.#changes.note(key.slice(1));
    else if (key.startsWith('u')) this.#changes.note(Number(key.slice(1)));
    else this.#changes.noteAll('all');
  }
}
