import type { Command } from 'commander';
import { onStoreToAdd, settingsFor, storeCommand } from '../../../../faces/cli/context.ts';
import { WrongUsage } from '../../../../faces/cli/failure.ts';
import { ImportDisplay, linesRefused } from '../../../../faces/cli/import-display.ts';
import { linesOf } from '../../../../faces/cli/lines.ts';
import { openInput } from '../../../../faces/cli/open-input.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { NodeImport } from '../../nodes/import.ts';
import { Spill } from './spill.ts';

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
            onRefused: ({ number, why }) => display.refused(number, why),
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
