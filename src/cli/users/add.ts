import type { Command } from 'commander';
import { faultOfNewName, newUser } from '../../domain/user.ts';
import { hashPassword } from '../../identity/password-hash.ts';
import { hashCostIn } from '../../settings/derived.ts';
import { onStoreToAdd, settingsFor, storeCommand, type Terminal } from '../context.ts';
import { CommandRefused, WrongUsage } from '../failure.ts';
import { newPassword } from '../password.ts';
import { record } from '../record.ts';

/** `tessera users add` */
export function addCommand(terminal: Terminal): Command {
  return storeCommand('add', 'Add a user.')
    .argument('<name>', 'User name.')
    .option('--admin', 'Make it an administrator.')
    .option('--password-stdin', 'Read the password from standard input.')
    .option('--no-password', 'Add a user that logs in without a password, such as a guest.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const administrator = options.admin === true;
      if (options.passwordStdin && !options.password)
        throw new WrongUsage('Give --password-stdin or --no-password, not both.');
      if (administrator && !options.password)
        throw new CommandRefused('Refused: a user without a password is never an administrator.');
      const fault = faultOfNewName(name);
      if (fault !== undefined) throw new CommandRefused(`Refused: ${fault}.`);
      const password = options.password
        ? await newPassword(name, options.passwordStdin === true, settings, terminal)
        : undefined;
      const passwordHash =
        password === undefined ? undefined : await hashPassword(password, hashCostIn(settings));
      const user = newUser(name, {
        namesCaseSensitive: settings.namesCaseSensitive,
        passwordHash,
        administrator,
      });
      await onStoreToAdd(settings, (store, clock) =>
        store.write(async (unit) => {
          if ((await unit.users.add(user)) === undefined)
            throw new CommandRefused(`Refused: there is a user "${name}" already.`);
          const reason = administrator ? 'administrator' : undefined;
          await record(unit, clock(), { kind: 'user-added', user: user.name, reason });
        }),
      );
      terminal.stdout.write(`Added "${user.name}".\n`);
    });
}
