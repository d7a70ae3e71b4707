import type { DatabaseSync } from 'node:sqlite';
import { Changes } from './changes.ts';
import type { Commits } from './commits.ts';
import { Shelf } from './shelf.ts';

/**
 * What was read lately, kept in memory for as long as the database is known to be unchanged: nothing of it
 * holds once another process has committed, and all but what was changed once this one has.
 */
export class Recent {
  readonly #commits: Commits;
  /** Changes whenever another connection than the writing one has committed. */
  readonly #foreignCommits: () => unknown;
  readonly #kept: Pick<Changes, 'settle' | 'clear'>[] = [];
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
    this.#kept.push(shelf);
    return shelf;
  }

  /** Counts of changes, for answers that those keep who asked. */
  changes(): Changes {
    const changes = new Changes();
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
    if (!this.#commits.unchanged()) for (const kept of this.#kept) kept.clear();
  }

  /** To be called once the writing connection has its transaction. */
  begun(): void {
    this.#look();
    this.#foreign = this.#foreignCommits();
  }

  /** To be called as soon as that transaction is committed, before anything is read. */
  committed(): void {
    this.#commits.unchanged();
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
