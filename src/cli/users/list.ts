import type { Command } from 'commander';
import { isLockedFor, type Lifetime } from '../../domain/ticket.ts';
import { UNTIL_UNLOCKED, type User } from '../../domain/user.ts';
import { lifetimeIn } from '../../settings/derived.ts';
import { onStore, settingsFor, storeCommand, type Terminal } from '../context.ts';
import { printList, time } from '../print.ts';

function stateOf(user: User, now: number, lifetime: Lifetime): string {
  if (user.disabled) return 'disabled';
  if (!isLockedFor(user, now, lifetime)) return 'active';
  return user.lockedUntil === UNTIL_UNLOCKED ? 'locked' : `locked until ${time(user.lockedUntil)}`;
}

/** `tessera users list` */
export function listCommand(terminal: Terminal): Command {
  return storeCommand('list', 'List the users.')
    .option('--json', 'As JSON.')
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      const rows = await onStore(settings, async (store, clock) => {
        const users = await store.read((unit) => unit.users.list());
        const [now, lifetime] = [clock(), lifetimeIn(settings)];
        return users.map((user) => ({
          name: user.name,
          administrator: user.administrator,
          state: stateOf(user, now, lifetime),
          password: user.passwordHash !== undefined,
        }));
      });
      await printList(
        terminal,
        ['name', 'administrator', 'state', 'password'],
        [rows],
        options.json === true,
      );
    });
}
