import type { Command } from 'commander';
import { onStore, settingsFor, storeCommand } from '../../../../faces/cli/context.ts';
import { existingUser } from '../../../../faces/cli/existing-user.ts';
import { recorded } from '../../../../faces/cli/record.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { removeUser } from '../../rules/users.ts';
import { removingStalePassword } from './initial-password.ts';

/** `tessera users remove` */
export function removeCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'remove', 'Remove a user. Its tickets end.')
    .argument('<name>', 'User name.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const removed = await onStore(terminal, settings, (store, clock) => {
        const remove = () =>
          store.write(async (unit) => {
            const user = await existingUser(unit, name, settings);
            await recorded(unit, clock(), await removeUser(unit, user));
            return user.name;
          });
        return removingStalePassword(store, settings, terminal, remove);
      });
      terminal.stdout.write(`Removed "${removed}". Its tickets have ended.\n`);
    });
}
