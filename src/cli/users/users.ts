import { Command } from 'commander';
import { counterKeys } from '../../identity/throttle-state.ts';
import { throttleKeyFor } from '../../main/throttle-key.ts';
import { lockUser, requireNewPassword, setDisabled, unlockUser } from '../../people/users.ts';
import type { Terminal } from '../context.ts';
import { addCommand } from './add.ts';
import { appPasswordsCommand } from './app-passwords.ts';
import { type StateCommand, stateCommand } from './change.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import/import.ts';
import { listCommand } from './list.ts';
import { passwdCommand } from './passwd.ts';
import { changeCommand } from './profile.ts';
import { removeCommand } from './remove.ts';
import { secondFactorCommand } from './second-factor.ts';
import { showCommand } from './show.ts';
import { whyCommand } from './why.ts';

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
