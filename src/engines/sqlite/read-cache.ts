import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Changes } from '../cache/recently-read.ts';

/** Words of the header in the index of the write-ahead log. It stands there twice: a writer changes one after the other. */
const WORDS = 12;

/**
 * Decides how long cached reads are valid. A commit of another process invalidates all of them, a commit of this process
 * only the ones that it changed.
 */
export class ReadCache {
  readonly #commits: WalWatcher;
  /** The most values of each kind; undefined for the usual number. */
  readonly most: number | undefined;
  /** Returns another value once another connection than the writing one has committed. */
  readonly #foreignCommits: () => unknown;
  /** What is committed, as far as it was looked at. */
  readonly changes = new Changes();
  /** Keys whose values the transaction under way changes. */
  readonly #noted = new Set<string | number>();
  #allNoted = false;
  #foreign: unknown;
  #nextLook: Promise<void> | undefined;

  constructor(commits: WalWatcher, writing: DatabaseSync, most?: number) {
    this.#commits = commits;
    this.most = most;
    const version = writing.prepare('PRAGMA data_version');
    version.setReturnArrays(true);
    this.#foreignCommits = () => (version.get() as unknown as [number])[0];
  }

  /** Notes that a write unit of this process changes what is cached under this key. */
  note(key: string | number): void {
    this.#noted.add(key);
  }

  /** Notes that a write unit of this process may change anything. */
  noteAll(): void {
    this.#allNoted = true;
  }

  /**
   * Resolves once everything is invalidated that was changed before this call. Callers in the same turn of the event loop
   * share one look at the log, which is taken after the last of them has called.
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
    if (!this.#commits.isUnchanged()) this.changes.noteAll('commit');
  }

  /** Call this once the writing connection has its transaction. */
  begun(): void {
    this.#look();
    this.#foreign = this.#foreignCommits();
  }

  /** Call this as soon as that transaction is committed, before anything is read. */
  committed(): void {
    this.#commits.isUnchanged();
    if (this.#hadForeignCommits()) this.changes.noteAll('commit');
    else if (this.#allNoted) this.changes.noteAll('all');
    else for (const key of this.#noted) this.changes.note(key);
    this.#noted.clear();
    this.#allNoted = false;
  }

  /** Whether another process has committed since the transaction began, or that cannot be told. */
  #hadForeignCommits(): boolean {
    try {
      return this.#foreignCommits() !== this.#foreign;
    } catch {
      return true;
    }
  }
}

/**
 * Files that this process has open, each once. SQLite's locks on a file are the process's (POSIX), and closing any of
 * its descriptors would drop them all: a file is closed after the last store on it.
 */
const opened = new Map<string, { readonly file: number; stores: number }>();

/**
 * Watches for commits to the database by any process. One look costs one small read: of
 * the header of the index of the write-ahead log (sqlite.org/walformat.html section 2.1), which SQLite's own readers
 * compare for the same purpose. It may report a commit that did not happen, but never misses one.
 */
export class WalWatcher {
  readonly #path: string;
  readonly #file: number;
  readonly #read = new Uint32Array(2 * WORDS);
  readonly #known = new Uint32Array(WORDS);

  /** `database` is the path of a database that this process has open with a write-ahead log; close that one first. */
  constructor(database: string) {
    this.#path = realpathSync(`${database}-shm`);
    const entry = opened.get(this.#path) ?? { file: openSync(this.#path, 'r'), stores: 0 };
    entry.stores += 1;
    opened.set(this.#path, entry);
    this.#file = entry.file;
  }

  /** Whether nothing was committed since the last call. */
  isUnchanged(): boolean {
    if (!this.#readHeader()) return false;
    let same = true;
    for (let word = 0; word < WORDS; word += 1) {
      if (this.#known[word] === this.#read[word]) continue;
      same = false;
      this.#known[word] = this.#read[word] as number;
    }
    return same;
  }

  /** Call this once the connections of the store are closed. */
  close(): void {
    const entry = opened.get(this.#path);
    if (entry === undefined) return;
    entry.stores -= 1;
    if (entry.stores > 0) return;
    opened.delete(this.#path);
    closeSync(entry.file);
  }

  /** Reads the header; returns false while it is being written or cannot be read. */
  #readHeader(): boolean {
    const read = this.#read;
    try {
      if (readSync(this.#file, read, 0, read.byteLength, 0) !== read.byteLength) return false;
    } catch {
      return false;
    }
    for (let word = 0; word < WORDS; word += 1) if (read[word] !== read[word + WORDS]) return false;
    return true;
  }
}
