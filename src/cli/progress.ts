import type { Terminal } from './context.ts';

const WIDTH = 30;
/** Milliseconds between two drawings. */
const EVERY = 100;

/** A progress bar on the error stream of a terminal; nothing where nobody watches. */
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
    // A file that is written on while it is read has more than it had.
    const done = Math.min(1, share);
    const full = Math.round(done * WIDTH);
    const percent = String(Math.floor(done * 100)).padStart(3);
    const line = `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${percent} %  ${word}`;
    this.#stderr.write(`\r\x1b[K${line.slice(0, this.#room())}`);
  }

  /** A line that goes on below the next drawing would not take away; 0 is a terminal that does not tell its width. */
  #room(): number {
    return this.#stderr.columns > 0 ? this.#stderr.columns - 1 : Number.POSITIVE_INFINITY;
  }

  /** Takes the bar away. */
  clear(): void {
    if (this.#stderr.isTTY) this.#stderr.write('\r\x1b[K');
  }
}
