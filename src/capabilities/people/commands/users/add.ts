import type { Command } from 'commander';
import { faultOfNewName, userKey } from '../../../../core/domain/user.ts';
import { hashPassword } from '../../../../core/identity/password-hash.ts';
import { hashCostIn } from '../../../../core/settings/derived.ts';
import { onStoreToAdd, settingsFor, storeCommand } from '../../../../faces/cli/context.ts';
import { CommandRefused, WrongUsage } from '../../../../faces/cli/failure.ts';
import { newPassword, PERMANENT } from '../../../../faces/cli/password.ts';
import { recorded } from '../../../../faces/cli/record.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { addUser } from '../../rules/bring-user.ts';
import { profileIn, roleIn, withProfile } from './profile-options.ts';

/** `tessera users add` */
export function addCommand(terminal: Terminal): Command {
  const command = storeCommand(terminal, 'add', 'Add a user.')
    .argument('<name>', 'User name.')
    .option('--admin', 'Make it an administrator.')
    .option('--password-stdin', 'Read the password from standard input.')
    .option('--permanent', PERMANENT)
    .option('--no-password', 'Add a user that logs in without a password, such as a guest.');
  return withProfile(command).action(async (name: string, options) => {
    const { settings } = settingsFor(options, terminal);
    if (options.passwordStdin && !options.password)
      throw new WrongUsage('Give --password-stdin or --no-password, not both.');
    if (options.permanent && !options.password)
      throw new WrongUsage('Give --permanent or --no-password, not both.');
    if (options.admin && options.role) throw new WrongUsage('Give --admin or --role, not both.');
    const role = options.admin ? 'administrator' : roleIn(options).role;
    const profile = profileIn(options);
    // Refuses a bad name before anybody types a password for it.
    const fault = faultOfNewName(name);
    if (fault !== undefined) throw new CommandRefused(`Refused: ${fault}.`);
    const password = options.password
      ? await newPassword(name, options.passwordStdin === true, settings, terminal)
      : undefined;
    const passwordHash =
      password === undefined ? undefined : await hashPassword(password, hashCostIn(settings));
    const mustChangePassword = passwordHash !== undefined && options.permanent !== true;
    const key = userKey(name, settings.namesCaseSensitive);
    const { user } = await onStoreToAdd(terminal, settings, (store, clock) =>
      store.write(async (unit) => {
        const state = { passwordHash, mustChangePassword, disabled: false };
        const added = await addUser(unit, { name, key, ...state, role, profile });
        return recorded(unit, clock(), added);
      }),
    );
    terminal.stdout.write(`Added "${user.name}".\n`);
  });
}
