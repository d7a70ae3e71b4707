import type { Command } from 'commander';
import { hashPassword } from '../../../../core/identity/password-hash.ts';
import { hashCostIn } from '../../../../core/settings/derived.ts';
import { onStore, settingsFor, storeCommand } from '../../../../faces/cli/context.ts';
import { existingUser } from '../../../../faces/cli/existing-user.ts';
import { CommandRefused } from '../../../../faces/cli/failure.ts';
import { newPassword, PERMANENT } from '../../../../faces/cli/password.ts';
import { recorded } from '../../../../faces/cli/record.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { passwordElsewhere, setPassword } from '../../rules/users.ts';
import { removingStalePassword } from './initial-password.ts';

/** `tessera users passwd` */
export function passwdCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'passwd', "Change a user's password. Its tickets end.", 'ldapPasswordPage')
    .argument('<name>', 'User name.')
    .option('--password-stdin', 'Read the password from standard input.')
    .option('--permanent', PERMANENT)
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const pages = terminal.settings.passwordPagesOf(settings);
      const changed = await onStore(terminal, settings, async (store, clock) => {
        const user = await store.read((unit) => existingUser(unit, name, settings));
        const elsewhere = passwordElsewhere(user, pages);
        if (elsewhere !== undefined) throw new CommandRefused(`Refused: ${elsewhere.why}.`);
        const password = await newPassword(user.name, options.passwordStdin === true, settings, terminal);
        const passwordHash = await hashPassword(password, hashCostIn(settings));
        const mustChangePassword = options.permanent !== true;
        const change = () =>
          store.write(async (unit) => {
            const user = await existingUser(unit, name, settings);
            await recorded(
              unit,
              clock(),
              await setPassword(unit, user, { passwordHash, mustChangePassword }, pages),
            );
            return user.name;
          });
        return removingStalePassword(store, settings, terminal, change);
      });
      terminal.stdout.write(`Changed the password of "${changed}". Its tickets have ended.\n`);
    });
}
