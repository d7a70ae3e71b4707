import type { Command } from 'commander';
import { onStore, settingsFor, storeCommand, type Terminal } from '../context.ts';
import { record } from '../record.ts';
import { existingUser } from './change.ts';
import { removingStalePassword } from './initial-password.ts';

/** `tessera users remove` */
export function removeCommand(terminal: Terminal): Command {
  return storeCommand('remove', 'Remove a user. Its tickets end.')
    .argument('<name>', 'User name.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const removed = await onStore(settings, (store, clock) => {
        const remove = () =>
          store.write(async (unit) => {
            const user = await existingUser(unit, name, settings);
            await unit.users.remove(user.id);
            await record(unit, 'user-removed', clock(), { user: user.name });
            return user.name;
          });
        return removingStalePassword(store, settings, terminal, remove);
      });
      terminal.stdout.write(`Removed "${removed}". Its tickets have ended.\n`);
    });
}
