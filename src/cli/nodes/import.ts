import type { Command } from 'commander';
import { NodeImport } from '../../nodes/import.ts';
import { onStore, settingsFor, storeCommand, type Terminal } from '../context.ts';
import { Refused, WrongUsage } from '../failure.ts';
import { linesOf } from '../lines.ts';
import { opened } from '../opened-file.ts';
import { visible } from '../print.ts';
import { ProgressBar } from '../progress.ts';
import { Spill } from './spill.ts';

function parseBatch(text: string): number {
  const size = Number(text);
  if (!Number.isInteger(size) || size < 1)
    throw new WrongUsage(`--batch: "${text}" is no number of lines from 1 on`);
  return size;
}

/** `tessera nodes import` */
export function importCommand(terminal: Terminal): Command {
  return storeCommand(
    'import',
    'Import nodes, one JSON object a line: store, id, type, name, parent. Lines may come in any order.',
  )
    .argument('<file>', 'File with the lines, or - for standard input.')
    .option('--batch <lines>', 'Lines imported together: all of them, or none if one is refused.', '1000')
    .action(async (file: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const batch = parseBatch(options.batch);
      const { input, size } = opened(file, terminal);
      const bar = new ProgressBar(terminal);
      const waiting = new Spill();
      let share = 0;
      try {
        const report = await onStore(settings, (store) => {
          const nodes = new NodeImport(store, waiting, batch, {
            onBatch: () => bar.show(share, `${nodes.report.imported} nodes`),
            onRefused({ number, why }) {
              bar.clear();
              terminal.stderr.write(`line ${number}: ${visible(why)}\n`);
            },
          });
          return nodes.run(
            linesOf(input, (bytes) => {
              share = bytes / size;
            }),
          );
        });
        bar.clear();
        terminal.stdout.write(
          report.imported === 1 ? 'Imported 1 node.\n' : `Imported ${report.imported} nodes.\n`,
        );
        if (report.refused === 0) return;
        const withheld =
          report.withheld === 0
            ? ''
            : ` ${report.withheld} more shared a batch with one of them and were not imported either.`;
        throw new Refused(
          `Refused ${report.refused === 1 ? '1 line' : `${report.refused} lines`}.${withheld} Mend them and import the file again: what is there already stays.`,
        );
      } finally {
        waiting.remove();
      }
    });
}
