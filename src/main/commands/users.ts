import { Command } from 'commander';
import { unlockCommand, whyCommand } from '../../capabilities/admin/commands/users.ts';
import { appPasswordsCommand } from '../../capabilities/factors/commands/app-passwords.ts';
import { secondFactorCommand } from '../../capabilities/factors/commands/second-factor.ts';
import { inviteCommand } from '../../capabilities/mail/commands.ts';
import { exportCommand } from '../../capabilities/migration/commands/export.ts';
import { importCommand } from '../../capabilities/migration/import/import.ts';
import { addCommand } from '../../capabilities/people/commands/users/add.ts';
import {
  changeCommand,
  disableCommand,
  enableCommand,
  keepPasswordCommand,
  lockCommand,
  requireNewPasswordCommand,
} from '../../capabilities/people/commands/users/change.ts';
import { listCommand } from '../../capabilities/people/commands/users/list.ts';
import { passwdCommand } from '../../capabilities/people/commands/users/passwd.ts';
import { removeCommand } from '../../capabilities/people/commands/users/remove.ts';
import { showCommand } from '../../capabilities/people/commands/users/show.ts';
import type { SettingKey } from '../../core/settings/table.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';

/** The settings that say who checks passwords beside the store. */
const OTHER_VERIFIERS = [
  'shadow',
  'ldapUrls',
  'ldapUserBase',
  'ldapBindDn',
  'ldapBindPassword',
  'providers',
] as const satisfies readonly SettingKey[];

/** `tessera users` */
export function usersCommand(terminal: Terminal): Command {
  // The longest verb leaves fewer columns than commander wraps by default.
  const command = new Command('users').description('Who can log in.').configureHelp({ minWidthToWrap: 30 });
  command
    .addCommand(addCommand(terminal))
    .addCommand(inviteCommand(terminal))
    .addCommand(importCommand(terminal))
    .addCommand(exportCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(showCommand(terminal))
    .addCommand(whyCommand(terminal, ...OTHER_VERIFIERS))
    .addCommand(changeCommand(terminal))
    .addCommand(passwdCommand(terminal, 'ldapPasswordPage'))
    .addCommand(appPasswordsCommand(terminal))
    .addCommand(secondFactorCommand(terminal))
    .addCommand(disableCommand(terminal))
    .addCommand(enableCommand(terminal))
    .addCommand(lockCommand(terminal))
    .addCommand(unlockCommand(terminal))
    .addCommand(requireNewPasswordCommand(terminal))
    .addCommand(keepPasswordCommand(terminal))
    .addCommand(removeCommand(terminal));
  return command;
}
