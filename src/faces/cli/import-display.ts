import { visible } from '../../core/visible.ts';
import { CommandRefused } from './failure.ts';
import { ProgressBar } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** Shows an import while it runs: how far the file is read, and what is refused. */
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

  /** Prints why what stands at this place, such as a line, is refused. */
  refused(place: string, why: string): void {
    this.clear();
    this.#stderr.write(`${visible(place)}: ${visible(why)}\n`);
  }

  /** Removes the progress bar. */
  clear(): void {
    this.#bar.clear();
  }
}

/**
 * The error at the end of an import with refused lines, or entries of a document. `more` is a sentence about others.
 */
export function linesRefused(
  count: number,
  what: 'users' | 'nodes',
  more = '',
  [one, many]: readonly [string, string] = ['line', 'lines'],
): CommandRefused {
  const lines = count === 1 ? `1 ${one}` : `${count} ${many}`;
  return new CommandRefused(
    `Refused ${lines}.${more} Mend them and import the file again: existing ${what} stay as they are.`,
  );
}
