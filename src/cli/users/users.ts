import { Command } from 'commander';
import { UNTIL_UNLOCKED, withDisabled } from '../../domain/user.ts';
import { counterKeys } from '../../identity/throttle-state.ts';
import { throttleKeyFor } from '../../main/throttle-key.ts';
import type { Terminal } from '../context.ts';
import { addCommand } from './add.ts';
import { type Change, changeCommand } from './change.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import/import.ts';
import { listCommand } from './list.ts';
import { passwdCommand } from './passwd.ts';
import { removeCommand } from './remove.ts';

const CHANGES: readonly Change[] = [
  {
    verb: 'disable',
    description: 'Disable a user: no login, and its tickets end.',
    kind: 'user-disabled',
    of: (user) => (user.disabled ? undefined : withDisabled(user, true)),
    done: (name) => `Disabled "${name}". Its tickets have ended.`,
  },
  {
    verb: 'enable',
    description: 'Enable a disabled user. The tickets that it had stay ended.',
    kind: 'user-enabled',
    of: (user) => (user.disabled ? withDisabled(user, false) : undefined),
    done: (name) => `Enabled "${name}".`,
  },
  {
    verb: 'lock',
    description: 'Lock a user out until it is unlocked.',
    kind: 'lock',
    of: (user) => (user.lockedUntil === UNTIL_UNLOCKED ? undefined : { lockedUntil: UNTIL_UNLOCKED }),
    done: (name) => `Locked "${name}". Its tickets are suspended until it is unlocked.`,
  },
  {
    verb: 'unlock',
    description: 'End a lock-out, and forget the failures of the name.',
    kind: 'unlock',
    of: () => ({ lockedUntil: 0 }),
    async also(unit, user, settings) {
      const keysOf = counterKeys(throttleKeyFor(settings, 'command'));
      await unit.attempts.removeOfName(keysOf(user.key, '').name);
    },
    done: (name) => `Unlocked "${name}", and forgot the failures of the name.`,
  },
];

/** `tessera users` */
export function usersCommand(terminal: Terminal): Command {
  const command = new Command('users').description('Who can log in.');
  command
    .addCommand(addCommand(terminal))
    .addCommand(importCommand(terminal))
    .addCommand(exportCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(passwdCommand(terminal));
  for (const change of CHANGES) command.addCommand(changeCommand(change, terminal));
  return command.addCommand(removeCommand(terminal));
}
