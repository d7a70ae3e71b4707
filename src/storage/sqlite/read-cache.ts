import type { DatabaseSync } from 'node:sqlite';
import { InvalidationCounters } from './invalidation-counters.ts';
import { TwoGenerationCache } from './two-generation-cache.ts';
import type { WalWatcher } from './wal-watcher.ts';

/**
 * Decides how long cached reads are valid. A commit of another process invalidates all of them, a commit of this process
 * only the ones that it changed.
 */
export class ReadCache {
  readonly #commits: WalWatcher;
  /** Changes whenever another connection than the writing one has committed. */
  readonly #foreignCommits: () => unknown;
  readonly #kept: Pick<InvalidationCounters, 'settle' | 'clear'>[] = [];
  #foreign: unknown;
  #nextLook: Promise<void> | undefined;

  constructor(commits: WalWatcher, writing: DatabaseSync) {
    this.#commits = commits;
    const version = writing.prepare('PRAGMA data_version');
    version.setReturnArrays(true);
    this.#foreignCommits = () => (version.get() as unknown as [number])[0];
  }

  shelf<K extends string | number, V extends object>(): TwoGenerationCache<K, V> {
    const shelf = new TwoGenerationCache<K, V>();
    this.#kept.push(shelf);
    return shelf;
  }

  /** Counts of changes, for answers that those keep who asked. */
  changes(): InvalidationCounters {
    const changes = new InvalidationCounters();
    this.#kept.push(changes);
    return changes;
  }

  /**
   * Resolves once nothing passes for known that was changed before this call. Those who ask while the event loop reads
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
    if (!this.#commits.isUnchanged()) for (const kept of this.#kept) kept.clear();
  }

  /** Call this once the writing connection has its transaction. */
  begun(): void {
    this.#look();
    this.#foreign = this.#foreignCommits();
  }

  /** Call this as soon as that transaction is committed, before anything is read. */
  committed(): void {
    this.#commits.isUnchanged();
    const foreign = this.#hadForeignCommits();
    for (const kept of this.#kept) kept.settle(foreign);
  }

  /** Whether others have committed since the transaction began, or that cannot be told. */
  #hadForeignCommits(): boolean {
    try {
      return this.#foreignCommits() !== this.#foreign;
    } catch {
      return true;
    }
  }
}
