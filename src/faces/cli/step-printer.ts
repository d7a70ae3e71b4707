import type { CheckedPart, SourceStep } from '../../core/domain/sign-in-source.ts';
import { visible } from '../../core/visible.ts';
import { CommandRefused } from './failure.ts';
import { print } from './print.ts';
import type { Terminal } from './terminal.ts';

/** The width of the names of steps. */
const WIDTH = 16;

/** Prints the steps of a check, each when it is done, and counts the faults. */
export class StepPrinter {
  #wrong = 0;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  async part(about: string, steps: AsyncIterable<SourceStep> | Iterable<SourceStep>): Promise<void> {
    await print(this.#terminal, `${visible(about)}\n`);
    for await (const { name, ok, found } of steps) {
      if (!ok) this.#wrong += 1;
      await print(
        this.#terminal,
        `  ${ok ? 'ok   ' : 'WRONG'}  ${name?.padEnd(WIDTH) ?? ''}${visible(found)}\n`,
      );
    }
  }

  /** Prints a check that was done elsewhere, or at once. */
  async all(parts: readonly CheckedPart[]): Promise<void> {
    for (const { about, steps } of parts) await this.part(about, steps);
    this.end();
  }

  /** Ends the check. Throws {@link CommandRefused} if a step was wrong. */
  end(): void {
    if (this.#wrong > 0)
      throw new CommandRefused(this.#wrong === 1 ? '1 step is wrong.' : `${this.#wrong} steps are wrong.`);
  }
}
