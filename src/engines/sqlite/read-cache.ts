import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** The most entries of a cache: half of them in the newer generation, half in the older. */
const MOST = 32_768;
/** The most characters of all keys, likewise: a key can be as long as the URL of a request. */
const MOST_CHARACTERS = 4_000_000;
/** How many counters there are: a power of two. */
const COUNTERS = 4_096;
/** Words of the header in the index of the write-ahead log. It stands there twice: a writer changes one after the other. */
const WORDS = 12;

/**
 * Decides how long cached reads are valid. A commit of another process invalidates all of them, a commit of this process
 * only the ones that it changed.
 */
export class ReadCache {
  readonly #commits: WalWatcher;
  /** Returns another value once another connection than the writing one has committed. */
  readonly #foreignCommits: () => unknown;
  readonly #parts: Pick<InvalidationCounters, 'settle' | 'clear'>[] = [];
  #foreign: unknown;
  #nextLook: Promise<void> | undefined;

  constructor(commits: WalWatcher, writing: DatabaseSync) {
    this.#commits = commits;
    const version = writing.prepare('PRAGMA data_version');
    version.setReturnArrays(true);
    this.#foreignCommits = () => (version.get() as unknown as [number])[0];
  }

  /** A new cache that is kept valid from here on. */
  entries<K extends string | number, V extends object>(): TwoGenerationCache<K, V> {
    const cache = new TwoGenerationCache<K, V>();
    this.#parts.push(cache);
    return cache;
  }

  /** New counters that count every change from here on. */
  counters(): InvalidationCounters {
    const counters = new InvalidationCounters();
    this.#parts.push(counters);
    return counters;
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
    if (!this.#commits.isUnchanged()) for (const part of this.#parts) part.clear();
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
    for (const part of this.#parts) part.settle(foreign);
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

/** A hash of a key. Of two keys with the same hash the cache keeps the one that was set last. */
export function hashOf(key: string | number): number {
  if (typeof key === 'number') return key;
  let hash = key.length;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x0100_0193);
  // As many bits as a number can have that V8 keeps without an object of its own.
  return hash & 0x3fff_ffff;
}

interface CacheEntry<K, V> {
  readonly key: K;
  readonly value: V;
}

/**
 * A cache in two generations: a full newer one becomes the older one, and the entries of the older one that were not
 * used since then are dropped. An LRU list would cost a validation as much as the rest of its look-up. Keys are hashed to
 * numbers, since a `Map` with string keys interns each key first.
 */
export class TwoGenerationCache<K extends string | number, V extends object> {
  #newer = new Map<number, CacheEntry<K, V>>();
  #older = new Map<number, CacheEntry<K, V>>();
  /** Characters of the keys in the newer generation. */
  #characters = 0;
  readonly #changed = new Set<K>();
  #allChanged = false;

  get(key: K): V | undefined {
    const hash = hashOf(key);
    const newer = this.#newer.get(hash);
    if (newer?.key === key) return newer.value;
    const older = this.#older.get(hash);
    if (older?.key !== key) return undefined;
    this.#put(hash, older);
    return older.value;
  }

  set(key: K, value: V): void {
    this.#put(hashOf(key), { key, value });
  }

  /** Notes that a write unit of this process changes this entry; without a key, that it may change any. */
  note(key?: K): void {
    if (key === undefined) this.#allChanged = true;
    else this.#changed.add(key);
  }

  /** Drops the entries that were noted, or `everything`. */
  settle(everything: boolean): void {
    if (everything || this.#allChanged) this.clear();
    else for (const key of this.#changed) this.#remove(key);
    this.#changed.clear();
    this.#allChanged = false;
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
    this.#characters = 0;
  }

  #put(hash: number, entry: CacheEntry<K, V>): void {
    if (this.#newer.size >= MOST / 2 || this.#characters >= MOST_CHARACTERS / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#characters = 0;
    }
    if (typeof entry.key === 'string') this.#characters += entry.key.length;
    this.#newer.set(hash, entry);
  }

  /** Drops another entry with the same hash as well, which then has to be read again. */
  #remove(key: K): void {
    const hash = hashOf(key);
    this.#newer.delete(hash);
    this.#older.delete(hash);
  }
}

/**
 * Counts the changes under each key. A cached value is valid as long as the counters of its keys stay the same. Keys share
 * counters: a value that is still valid may be dropped, but a stale one is never kept.
 */
export class InvalidationCounters {
  readonly #counters = new Uint32Array(COUNTERS);
  readonly #noted = new Set<number>();
  #anyNoted = false;
  /** How often everything may have changed. */
  #all = 0;

  /** The index of the counter of this key. */
  indexOf(key: string | number): number {
    return hashOf(key) & (COUNTERS - 1);
  }

  /** The sum of the counters at these indexes: it changes with each of them. */
  sumOf(indexes: readonly number[]): number {
    let sum = this.#all;
    for (const index of indexes) sum += this.#counters[index] as number;
    return sum;
  }

  /** As {@link sumOf}, for one counter. */
  countAt(index: number): number {
    return this.#all + (this.#counters[index] as number);
  }

  /** Notes that a write unit of this process changes what is kept under this key; without one, that it may change anything. */
  note(key?: string | number): void {
    if (key === undefined) this.#anyNoted = true;
    else this.#noted.add(this.indexOf(key));
  }

  /** Counts what was noted, or `everything`. */
  settle(everything: boolean): void {
    if (everything || this.#anyNoted) this.clear();
    for (const index of this.#noted) this.#counters[index] = (this.#counters[index] as number) + 1;
    this.#noted.clear();
    this.#anyNoted = false;
  }

  /** Counts a change of everything. */
  clear(): void {
    this.#all += 1;
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
