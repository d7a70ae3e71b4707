import { type Command, Help } from 'commander';

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
