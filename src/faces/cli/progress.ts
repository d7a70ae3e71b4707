import type { Terminal } from './terminal.ts';

const WIDTH = 30;
/** Milliseconds between two updates. */
const EVERY = 100;

/** A progress bar on the error stream. It shows nothing if that is no terminal. */
export class ProgressBar {
  readonly #stderr: Terminal['stderr'];
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor({ stderr }: Terminal) {
    this.#stderr = stderr;
  }

  /** Shows how much is done, between 0 and 1, with a word on it. */
  show(share: number, word: string): void {
    const now = performance.now();
    if (!this.#stderr.isTTY || (share < 1 && now - this.#drawnAt < EVERY)) return;
    this.#drawnAt = now;
    // A file that grows while it is read gives more than its size.
    const done = Math.min(1, share);
    const full = Math.round(done * WIDTH);
    const percent = String(Math.floor(done * 100)).padStart(3);
    const line = `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${percent} %  ${word}`;
    this.#stderr.write(`\r\x1b[K${line.slice(0, this.#room())}`);
  }

  /**
   * The width of the bar. A longer line would wrap, and the next update would not remove all of it. Some terminals
   * report 0.
   */
  #room(): number {
    return this.#stderr.columns > 0 ? this.#stderr.columns - 1 : Number.POSITIVE_INFINITY;
  }

  /** Removes the progress bar. */
  clear(): void {
    if (this.#stderr.isTTY) this.#stderr.write('\r\x1b[K');
  }
}
