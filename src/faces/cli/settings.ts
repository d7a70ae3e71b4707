import { Command, Help } from 'commander';
import { variableOf } from '../../core/settings/table.ts';
import { settingsFor, withSettings } from './context.ts';
import { printList } from './print.ts';
import type { Terminal } from './terminal.ts';

/** Whether the command takes settings. One without them, such as `completion`, works on no store of its own accord. */
export const takesSettings = ({ options }: Command): boolean =>
  options.some(({ long }) => long === '--config');

/** Shows the settings of a command, in their groups, in place of its own options. */
class SettingsHelp extends Help {
  override visibleOptions({ options }: Command) {
    return options.filter(({ hidden }) => hidden);
  }

  override visibleArguments() {
    return [];
  }
}

/** Adds `--help-settings` to each command that takes settings, behind its own options. `--help` shows those alone. */
export function addSettingsHelp(command: Command): void {
  for (const child of command.commands) addSettingsHelp(child);
  if (!takesSettings(command)) return;
  command.option('--help-settings', 'Show the settings that this command takes, such as --data.');
  command.on('option:help-settings', () => {
    command.createHelp = () => new SettingsHelp();
    command.help();
  });
}

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
