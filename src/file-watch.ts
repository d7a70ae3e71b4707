import type { Stats } from 'node:fs';

/** Milliseconds between two looks at the files, which count as changed once two looks in a row find the same change. */
const BETWEEN_LOOKS = 500;

/** What tells of a change of a file. Not the time of writing: permissions matter too, and an old time can be put back. */
export function stampOf(path: string, { ino, size, ctimeMs }: Stats): string {
  return [path, ino, size, ctimeMs].join(' ');
}

/** How the watched files are looked at; a stamp is a text that is another one after each change of a file. */
export interface WatchedFiles {
  readonly stamp: () => string;
  /** The same stamp, taken without blocking the event loop: a network file system may not answer for minutes. */
  readonly laterStamp: () => Promise<string>;
  /** Reads the files again. */
  readonly onChange: () => void;
}

/** Watches files by polling, since a symbolic link on their path may lead elsewhere by now. */
export class FileWatch {
  readonly #files: WatchedFiles;
  #nextLook: NodeJS.Timeout | undefined;
  #closed = false;
  /** Of the files as they were when they were last read. */
  #readStamp = '';
  /** Of the files at the last look. */
  #seenStamp = '';

  constructor(files: WatchedFiles) {
    this.#files = files;
  }

  /** Call this before each reading of the files: what changes after it counts as a change. */
  noteReading(): void {
    this.#readStamp = this.#files.stamp();
  }

  /** Looks at the files from now on, until `close`. */
  start(): void {
    this.#seenStamp = this.#readStamp;
    this.#lookSoon();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#nextLook);
  }

  async #look(): Promise<void> {
    const stamp = await this.#files.laterStamp();
    if (this.#closed) return;
    // Files are written in several steps: one that still changes is not complete yet.
    if (stamp !== this.#readStamp && stamp === this.#seenStamp) this.#files.onChange();
    this.#seenStamp = stamp;
    this.#lookSoon();
  }

  #lookSoon(): void {
    this.#nextLook = setTimeout(() => void this.#look(), BETWEEN_LOOKS).unref();
  }
}
