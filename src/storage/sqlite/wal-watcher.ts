import { closeSync, openSync, readSync, realpathSync } from 'node:fs';

/** Words of the header of the log's index, which stands there twice: a writer changes one after the other. */
const WORDS = 12;

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

  /** `database` is the path of one that this process has open with a write-ahead log; it is closed before this is. */
  constructor(database: string) {
    this.#path = realpathSync(`${database}-shm`);
    const known = opened.get(this.#path) ?? { file: openSync(this.#path, 'r'), stores: 0 };
    known.stores += 1;
    opened.set(this.#path, known);
    this.#file = known.file;
  }

  /** Whether nothing was committed since the last look. */
  isUnchanged(): boolean {
    if (!this.#look()) return false;
    let same = true;
    for (let word = 0; word < WORDS; word += 1) {
      if (this.#known[word] === this.#read[word]) continue;
      same = false;
      this.#known[word] = this.#read[word] as number;
    }
    return same;
  }

  /** To be called once the connections of the store are closed. */
  close(): void {
    const known = opened.get(this.#path);
    if (known === undefined) return;
    known.stores -= 1;
    if (known.stores > 0) return;
    opened.delete(this.#path);
    closeSync(known.file);
  }

  /** Reads the header; gives whether it is whole, and not being written. */
  #look(): boolean {
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
