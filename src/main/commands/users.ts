import { Command } from 'commander';
import { appPasswordsCommand } from '../../capabilities/factors/commands/app-passwords.ts';
import { secondFactorCommand } from '../../capabilities/factors/commands/second-factor.ts';
import { exportCommand } from '../../capabilities/migration/commands/export.ts';
import { importCommand } from '../../capabilities/migration/import/import.ts';
import { addCommand } from '../../capabilities/people/commands/users/add.ts';
import { type StateCommand, stateCommand } from '../../capabilities/people/commands/users/change.ts';
import { listCommand } from '../../capabilities/people/commands/users/list.ts';
import { passwdCommand } from '../../capabilities/people/commands/users/passwd.ts';
import { changeCommand } from '../../capabilities/people/commands/users/profile.ts';
import { removeCommand } from '../../capabilities/people/commands/users/remove.ts';
import { showCommand } from '../../capabilities/people/commands/users/show.ts';
import { whyCommand } from '../../capabilities/people/commands/users/why.ts';
import {
  lockUser,
  requireNewPassword,
  setDisabled,
  unlockUser,
} from '../../capabilities/people/rules/users.ts';
import { throttleKeyFor } from '../../core/identity/throttle-key.ts';
import { counterKeys } from '../../core/identity/throttle-state.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';

const STATES: readonly StateCommand[] = [
  {
    verb: 'disable',
    description: 'Disable a user: no login, and its tickets end.',
    change: (unit, user) => setDisabled(unit, user, true),
    done: (name) => `Disabled "${name}". Its tickets have ended.`,
  },
  {
    verb: 'enable',
    description: 'Enable a disabled user. The tickets that it had stay ended.',
    change: (unit, user) => setDisabled(unit, user, false),
    done: (name) => `Enabled "${name}".`,
  },
  {
    verb: 'lock',
    description: 'Lock a user out until it is unlocked.',
    change: lockUser,
    done: (name) => `Locked "${name}". Its tickets are suspended until it is unlocked.`,
  },
  {
    verb: 'unlock',
    description: 'End a lock-out, and forget the failures of the name.',
    change(unit, user, settings) {
      const keysOf = counterKeys(throttleKeyFor(settings, 'command'));
      return unlockUser(unit, user, ({ attempts }, key) => attempts.removeOfName(keysOf(key, '').name));
    },
    done: (name) => `Unlocked "${name}", and forgot the failures of the name.`,
  },
  {
    verb: 'require-new-password',
    description: 'Have the sign-in page ask a user for a new password. Logins of programs go on.',
    change: (unit, user) => requireNewPassword(unit, user, true),
    done: (name) => `"${name}" has to choose a new password at the next sign-in.`,
  },
  {
    verb: 'keep-password',
    description: 'Let a user keep its password: the sign-in page asks for no new one.',
    change: (unit, user) => requireNewPassword(unit, user, false),
    done: (name) => `"${name}" keeps its password.`,
  },
];

/** `tessera users` */
export function usersCommand(terminal: Terminal): Command {
  // The longest verb leaves fewer columns than commander wraps by default.
  const command = new Command('users').description('Who can log in.').configureHelp({ minWidthToWrap: 30 });
  command
    .addCommand(addCommand(terminal))
    .addCommand(importCommand(terminal))
    .addCommand(exportCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(showCommand(terminal))
    .addCommand(whyCommand(terminal))
    .addCommand(changeCommand(terminal))
    .addCommand(passwdCommand(terminal))
    .addCommand(appPasswordsCommand(terminal))
    .addCommand(secondFactorCommand(terminal));
  for (const state of STATES) command.addCommand(stateCommand(state, terminal));
  return command.addCommand(removeCommand(terminal));
}
