import { visible } from '../visible.ts';
import type { Terminal } from './context.ts';
import { CommandRefused } from './failure.ts';
import { ProgressBar } from './progress.ts';

/** What is seen of an import while it goes on: how far its file is read, and every line that is refused. */
export class ImportShown {
  readonly #stderr: Terminal['stderr'];
  readonly #bar: ProgressBar;
  readonly #size: number;
  #share = 0;

  /** `size` is how many bytes the file has. */
  constructor(terminal: Terminal, size: number) {
    this.#stderr = terminal.stderr;
    this.#bar = new ProgressBar(terminal);
    this.#size = size;
  }

  /** Is told how many bytes are read. */
  readonly onBytes = (bytes: number): void => {
    this.#share = bytes / this.#size;
  };

  /** Shows how far it is, with a word on what came of it. */
  batch(word: string): void {
    this.#bar.show(this.#share, word);
  }

  /** Says why a line is refused. */
  refused(number: number, why: string): void {
    this.clear();
    this.#stderr.write(`line ${number}: ${visible(why)}\n`);
  }

  /** Takes the bar away. */
  clear(): void {
    this.#bar.clear();
  }
}

/** The end of an import with lines refused. `stays` is what another import leaves alone, `more` a sentence on others. */
export function linesRefused(count: number, stays: string, more = ''): CommandRefused {
  const lines = count === 1 ? '1 line' : `${count} lines`;
  return new CommandRefused(
    `Refused ${lines}.${more} Mend them and import the file again: ${stays} already stays.`,
  );
}
