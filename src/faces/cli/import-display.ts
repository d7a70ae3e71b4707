import { visible } from '../../core/visible.ts';
import { CommandRefused } from './failure.ts';
import { ProgressBar } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** Shows an import while it runs: how far the file is read, and each refused line. */
export class ImportDisplay {
  readonly #stderr: Terminal['stderr'];
  readonly #bar: ProgressBar;
  readonly #size: number;
  #share = 0;

  /** `size` is the size of the file in bytes. */
  constructor(terminal: Terminal, size: number) {
    this.#stderr = terminal.stderr;
    this.#bar = new ProgressBar(terminal);
    this.#size = size;
  }

  /** Called with the number of bytes that are read. */
  readonly onBytes = (bytes: number): void => {
    this.#share = bytes / this.#size;
  };

  /** Shows how far the import is, with a word on its result so far. */
  batch(word: string): void {
    this.#bar.show(this.#share, word);
  }

  /** Prints why a line is refused. */
  refused(number: number, why: string): void {
    this.clear();
    this.#stderr.write(`line ${number}: ${visible(why)}\n`);
  }

  /** Removes the progress bar. */
  clear(): void {
    this.#bar.clear();
  }
}

/**
 * The error at the end of an import with refused lines. `more` is a sentence about other lines.
 */
export function linesRefused(count: number, what: 'users' | 'nodes', more = ''): CommandRefused {
  const lines = count === 1 ? '1 line' : `${count} lines`;
  return new CommandRefused(
    `Refused ${lines}.${more} Mend them and import the file again: existing ${what} stay as they are.`,
  );
}
