import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { onStoreToAdd, settingsFor, storeCommand } from '../../../../faces/cli/context.ts';
import { CommandRefused, WrongUsage } from '../../../../faces/cli/failure.ts';
import { ImportDisplay, linesRefused } from '../../../../faces/cli/import-display.ts';
import { onInterruption } from '../../../../faces/cli/interruption.ts';
import { linesOf, type TextLine } from '../../../../faces/cli/lines.ts';
import { openInput } from '../../../../faces/cli/open-input.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { NodeImport, type WaitingLines } from '../../nodes/import.ts';

/** Runs `work` on temporary files. Throws {@link CommandRefused} if the system has no space for them. */
function temporarily<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new CommandRefused(
      `There is no place for temporary files: ${(error as Error).message}: name a folder in TMPDIR that has some.`,
    );
  }
}

/**
 * Makes a folder for files that are removed when the command ends. Throws {@link CommandRefused} like {@link
 * temporarily}.
 */
function temporaryFolder(purpose: string): string {
  return temporarily(() => mkdtempSync(join(tmpdir(), `tessera-${purpose}-`)));
}

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

function parseBatch(text: string): number {
  const size = Number(text);
  if (!Number.isInteger(size) || size < 1)
    throw new WrongUsage(`--batch: "${text}" is no number of lines from 1 on`);
  return size;
}

function withheld(count: number): string {
  if (count === 0) return '';
  return ` ${count} more shared a batch with one of them and were not imported either.`;
}

/** `tessera nodes import` */
export function importCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'import',
    'Import nodes, one JSON object a line: store, id, type, name, parent. Lines may come in any order.',
  )
    .argument('<file>', 'File with the lines, or - for standard input.')
    .option('--batch <lines>', 'Lines imported together: all of them, or none if one is refused.', '1000')
    .action(async (file: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const batch = parseBatch(options.batch);
      const { input, size } = openInput(file, terminal);
      const display = new ImportDisplay(terminal, size);
      const waiting = new Spill();
      try {
        const report = await onStoreToAdd(terminal, settings, (store) => {
          const nodes = new NodeImport(store, waiting, batch, {
            onBatch: () => display.batch(`${nodes.report.imported} nodes`),
            onRefused: ({ number, why }) => display.refused(`line ${number}`, why),
          });
          return nodes.run(linesOf(input, display.onBytes)).finally(() => display.clear());
        });
        terminal.stdout.write(
          report.imported === 1 ? 'Imported 1 node.\n' : `Imported ${report.imported} nodes.\n`,
        );
        if (report.refused > 0) throw linesRefused(report.refused, 'nodes', withheld(report.withheld));
      } finally {
        waiting.remove();
      }
    });
}
