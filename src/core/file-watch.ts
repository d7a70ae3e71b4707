import type { Stats } from 'node:fs';

/** Milliseconds between two checks. A file counts as changed once two checks in a row see the same change. */
const INTERVAL = 500;

/**
 * A text that changes with the file. It does not use the time of writing: permissions matter too, and an old time can
 * be restored.
 */
export function stampOf(path: string, { ino, size, ctimeMs }: Stats): string {
  return [path, ino, size, ctimeMs].join(' ');
}

/** How to check the watched files. A stamp is a text that changes after each change of a file. */
interface WatchedFiles {
  readonly stamp: () => string;
  /** The same stamp, taken without blocking the event loop: a network file system may not answer for minutes. */
  readonly stampAsync: () => Promise<string>;
  /** Reads the files again. */
  readonly onChange: () => void;
}

/** Watches files by polling, since a symbolic link on their path may lead elsewhere by now. */
export class FileWatch {
  readonly #files: WatchedFiles;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** The stamp of the files when they were last read. */
  #readStamp = '';
  /** The stamp at the last check. */
  #seenStamp = '';

  constructor(files: WatchedFiles) {
    this.#files = files;
  }

  /** Call this before each reading of the files: a change after the call is noticed. */
  noteReading(): void {
    this.#readStamp = this.#files.stamp();
  }

  /** Checks the files from now on, until `close`. */
  start(): void {
    this.#seenStamp = this.#readStamp;
    this.#schedule();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #check(): Promise<void> {
    const stamp = await this.#files.stampAsync();
    if (this.#closed) return;
    // Files are written in several steps. A file that still changes is not complete.
    if (stamp !== this.#readStamp && stamp === this.#seenStamp) this.#files.onChange();
    this.#seenStamp = stamp;
    this.#schedule();
  }

  #schedule(): void {
    this.#timer = setTimeout(() => void this.#check(), INTERVAL).unref();
  }
}
