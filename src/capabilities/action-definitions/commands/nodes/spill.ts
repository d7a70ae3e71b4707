import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onInterruption } from '../../../../faces/cli/interruption.ts';
import type { TextLine } from '../../../../faces/cli/lines.ts';
import { temporarily, temporaryFolder } from '../../../../faces/cli/temporary-folder.ts';
import type { WaitingLines } from '../../nodes/import.ts';

/** Lines in a block. At most one block is in memory. */
const BLOCK = 1_000;

/**
 * Keeps waiting lines in temporary files, so that an import of any size needs little memory. If a signal ends the
 * import, the files are removed first.
 */
export class Spill implements WaitingLines {
  #blocks: string[] = [];
  #gathered: string[] = [];
  #written = 0;
  #size = 0;
  readonly #removeListeners = onInterruption((signal) => {
    this.remove();
    process.kill(process.pid, signal);
  });
  // Made after the listener that removes it, so that no signal comes in between.
  readonly #folder = temporaryFolder('import');

  get size(): number {
    return this.#size;
  }

  add({ number, text }: TextLine): void {
    this.#gathered.push(`${number} ${text}`);
    this.#size += 1;
    if (this.#gathered.length >= BLOCK) this.#write();
  }

  /** The last line comes first: if children stood before their parents, each then finds its parent. */
  async *takeAll(): AsyncGenerator<TextLine> {
    this.#write();
    const taken = this.#blocks.reverse();
    this.#blocks = [];
    this.#size = 0;
    for (const block of taken) {
      const lines = readFileSync(block, 'utf8').split('\n').reverse();
      rmSync(block);
      for (const line of lines) {
        const space = line.indexOf(' ');
        yield { number: Number(line.slice(0, space)), text: line.slice(space + 1) };
      }
    }
  }

  /** Removes the files. */
  remove(): void {
    this.#removeListeners();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #write(): void {
    if (this.#gathered.length === 0) return;
    const block = join(this.#folder, String(this.#written));
    temporarily(() => writeFileSync(block, this.#gathered.join('\n')));
    this.#written += 1;
    this.#blocks.push(block);
    this.#gathered = [];
  }
}
