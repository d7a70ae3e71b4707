import type { DatabaseSync } from 'node:sqlite';
import type { Commits } from './commits.ts';

/** Answers to one question that are kept at most, half of them those that were asked for since the others. */
const MOST = 32_768;

/**
 * Answers to one question about the database, as they were read lately. In two halves, since the library's list of
 * the least used costs a validation as much as the rest of its look-up.
 */
export class Shelf<K extends string | number, V extends object> {
  #newer = new Map<K, V>();
  #older = new Map<K, V>();
  readonly #changed = new Set<K>();
  #allChanged = false;

  get(key: K): V | undefined {
    const kept = this.#newer.get(key);
    if (kept !== undefined) return kept;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    if (this.#newer.size >= MOST / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }

  /** Notes that a unit of this process changes the answer; without a key, that it may change any. */
  changes(key?: K): void {
    if (key === undefined) this.#allChanged = true;
    else this.#changed.add(key);
  }

  /** Takes out what was changed, or `everything`. */
  settle(everything: boolean): void {
    if (everything || this.#allChanged) this.clear();
    else for (const key of this.#changed) this.#remove(key);
    this.#changed.clear();
    this.#allChanged = false;
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }

  #remove(key: K): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }
}

/**
 * What was read lately, kept in memory for as long as the database is known to be unchanged: what another process
 * commits empties it, and what this one commits takes out what was changed.
 */
export class Recent {
  readonly #commits: Commits;
  /** Changes whenever another connection than the writing one has committed. */
  readonly #foreignCommits: () => unknown;
  readonly #shelves: Pick<Shelf<never, never>, 'settle' | 'clear'>[] = [];
  #foreign: unknown;
  #nextLook: Promise<void> | undefined;

  constructor(commits: Commits, writing: DatabaseSync) {
    this.#commits = commits;
    const version = writing.prepare('PRAGMA data_version');
    version.setReturnArrays(true);
    this.#foreignCommits = () => (version.get() as unknown as [number])[0];
  }

  shelf<K extends string | number, V extends object>(): Shelf<K, V> {
    const shelf = new Shelf<K, V>();
    this.#shelves.push(shelf);
    return shelf;
  }

  /**
   * Resolves once the shelves hold nothing that was changed before this call. Those who ask while the event loop reads
   * what has arrived share one look, which is taken after the last of them has asked.
   */
  upToDate(): Promise<void> {
    this.#nextLook ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#nextLook = undefined;
        this.#look();
        resolve();
      });
    });
    return this.#nextLook;
  }

  #look(): void {
    if (!this.#commits.unchanged()) for (const shelf of this.#shelves) shelf.clear();
  }

  /** The answer on the shelf, or else the one that `lookUp` reads, which it has to do before it returns. */
  read<K extends string | number, V>(
    shelf: Shelf<K, Promise<V>>,
    key: K,
    lookUp: () => Promise<V>,
  ): Promise<V> {
    const kept = shelf.get(key);
    if (kept !== undefined) return kept;
    const answer = lookUp();
    shelf.set(key, answer);
    answer.catch(() => shelf.clear());
    return answer;
  }

  /** To be called once the writing connection has its transaction. */
  begun(): void {
    this.#look();
    this.#foreign = this.#foreignCommits();
  }

  /** To be called as soon as that transaction is committed, before anything is read. */
  committed(): void {
    this.#commits.unchanged();
    const foreign = this.#foreignCommits() !== this.#foreign;
    for (const shelf of this.#shelves) shelf.settle(foreign);
  }
}
