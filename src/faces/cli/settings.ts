import { Command } from 'commander';
import { variableOf } from '../../core/settings/table.ts';
import { settingsFor, withSettings } from './context.ts';
import { printList } from './print.ts';
import type { Terminal } from './terminal.ts';

/** `tessera settings` */
export function settingsCommand(terminal: Terminal): Command {
  return withSettings(
    terminal,
    new Command('settings').description('Show the settings in effect, and the source of each.'),
  )
    .option('--json', 'As JSON.')
    .action(async (options) => {
      const { inEffect } = settingsFor(options, terminal);
      const rows = inEffect.map(({ key, text, from }) => ({ setting: variableOf(key), value: text, from }));
      await printList(terminal, ['setting', 'value', 'from'], [rows], options.json === true);
    });
}
