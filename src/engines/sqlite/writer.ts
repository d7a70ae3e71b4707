import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { StoreUnavailable, type WriteUnit } from '../../core/storage/store.ts';
import { isBusy, translated } from './errors.ts';

type UnitOutcome = { readonly value: unknown } | { readonly fault: unknown };

interface Job {
  readonly work: (unit: WriteUnit) => Promise<unknown>;
  readonly settle: (outcome: UnitOutcome) => void;
  /** When it began to wait for its turn, as `performance.now()`. */
  readonly since: number;
}

/** Is called at the beginning and at the commit of the transaction that units share, in the same turn of the event loop. */
interface Watcher {
  begun(): void;
  committed(): void;
}

/** How many units share one commit at most. */
const BATCH = 256;
/** For how long units may join a commit, in milliseconds: most commits take a tenth of it. */
const BATCH_TIME = 100;
/** How long a unit may wait for its turn behind others, in milliseconds. */
const QUEUE_DEADLINE = 5_000;
const LATE = `the connection for writing was taken for ${QUEUE_DEADLINE} ms`;
/** How often the waiting units are checked while others run, in milliseconds. */
const LOOK_EVERY = 100;
/** How long to try for the write lock that another process holds, in milliseconds. */
const LOCK_DEADLINE = 5_000;

/**
 * The one writing connection. The units of one turn run one after another, each in its own savepoint, and share a
 * commit and so its fsync. No unit is answered before that commit, and when it fails all of them fail. A unit whose turn
 * does not come in time fails with {@link StoreUnavailable}.
 */
export class SqliteWriter {
  readonly #db: DatabaseSync;
  readonly #unit: WriteUnit;
  readonly #commit: StatementSync;
  readonly #savepoint: StatementSync;
  readonly #release: StatementSync;
  readonly #watcher: Watcher;
  readonly #inPlace: () => void;
  readonly #jobs: Job[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  /** `inPlace` is called before each commit, and throws where the commit would be lost. */
  constructor(
    db: DatabaseSync,
    tables: Omit<WriteUnit, 'aside' | 'lock'>,
    watcher: Watcher,
    inPlace: () => void,
  ) {
    this.#db = db;
    this.#watcher = watcher;
    this.#inPlace = inPlace;
    this.#commit = db.prepare('COMMIT');
    this.#savepoint = db.prepare('SAVEPOINT unit');
    this.#release = db.prepare('RELEASE unit');
    // Write units run one after another, and other processes wait for the commit: a unit has every set for itself.
    const lock = async () => undefined;
    this.#unit = { ...tables, aside: (work) => this.#aside(work), lock };
  }

  run<T>(work: (unit: WriteUnit) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('the store is closed'));
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: UnitOutcome) => {
        if ('fault' in outcome) reject(outcome.fault);
        else resolve(outcome.value as T);
      };
      this.#jobs.push({ work, settle, since: performance.now() });
      this.#running ??= this.#drain();
    });
  }

  /** Refuses further units and waits for the ones under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    // Waits for all units of this turn of the event loop: each request is a callback of its own.
    await turn();
    while (this.#jobs.length > 0) await this.#batch();
    this.#running = undefined;
  }

  async #batch(): Promise<void> {
    const taken: Job[] = [];
    const outcomes: UnitOutcome[] = [];
    try {
      await this.#begin();
      await this.#runInto(taken, outcomes);
      this.#inPlace();
      this.#commit.run();
      this.#watcher.committed();
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      if (taken.length === 0) taken.push(...this.#jobs.splice(0));
      outcomes.length = 0;
      outcomes.push(...taken.map(() => ({ fault: translated(error) })));
    }
    for (const [index, job] of taken.entries()) job.settle(outcomes[index] as UnitOutcome);
    this.#refuseLate();
  }

  /** Runs the units that share a commit, one after another. */
  async #runInto(taken: Job[], outcomes: UnitOutcome[]): Promise<void> {
    const end = performance.now() + BATCH_TIME;
    const looking = setInterval(() => this.#refuseLate(), LOOK_EVERY);
    try {
      do {
        const job = this.#jobs.shift() as Job;
        taken.push(job);
        outcomes.push(await this.#inSavepoint(() => job.work(this.#unit)));
      } while (this.#jobs.length > 0 && taken.length < BATCH && performance.now() < end);
    } finally {
      clearInterval(looking);
    }
  }

  #refuseLate(): void {
    const latest = performance.now() - QUEUE_DEADLINE;
    while (this.#jobs[0] !== undefined && this.#jobs[0].since < latest)
      this.#jobs.shift()?.settle({ fault: new StoreUnavailable(LATE) });
  }

  /** Waits for another process without blocking the thread, as SQLite's own busy time-out would. */
  async #begin(): Promise<void> {
    const deadline = performance.now() + LOCK_DEADLINE;
    for (let delay = 1; ; delay = Math.min(delay * 2, 50)) {
      try {
        this.#db.exec('BEGIN IMMEDIATE');
        this.#watcher.begun();
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
      }
      await pause(delay);
    }
  }

  async #inSavepoint(work: () => Promise<unknown>): Promise<UnitOutcome> {
    this.#savepoint.run();
    try {
      const value = await work();
      this.#release.run();
      return { value };
    } catch (error) {
      // Some faults (a full disk) end the whole transaction: then all units of the batch fail.
      if (!this.#db.isTransaction) throw error;
      this.#db.exec('ROLLBACK TO unit; RELEASE unit');
      return { fault: translated(error) };
    }
  }

  async #aside(work: () => Promise<void>): Promise<unknown> {
    const outcome = await this.#inSavepoint(work);
    return 'fault' in outcome ? outcome.fault : undefined;
  }
}
