import type { Command } from 'commander';
import type { Profile } from '../../domain/profile.ts';
import type { Role } from '../../domain/role.ts';
import { faultOfNewName, newUser, type User } from '../../domain/user.ts';
import { hashPassword } from '../../identity/password-hash.ts';
import { changeProfile, giveRole } from '../../people/users.ts';
import { hashCostIn } from '../../settings/derived.ts';
import type { WriteUnit } from '../../storage/store.ts';
import { onStoreToAdd, settingsFor, storeCommand, type Terminal } from '../context.ts';
import { CommandRefused, WrongUsage } from '../failure.ts';
import { newPassword } from '../password.ts';
import { record, recorded } from '../record.ts';
import { profileIn, roleIn, withProfile } from './profile-options.ts';

/** `tessera users add` */
export function addCommand(terminal: Terminal): Command {
  const command = storeCommand('add', 'Add a user.')
    .argument('<name>', 'User name.')
    .option('--admin', 'Make it an administrator.')
    .option('--password-stdin', 'Read the password from standard input.')
    .option('--no-password', 'Add a user that logs in without a password, such as a guest.');
  return withProfile(command).action(async (name: string, options) => {
    const { settings } = settingsFor(options, terminal);
    if (options.passwordStdin && !options.password)
      throw new WrongUsage('Give --password-stdin or --no-password, not both.');
    if (options.admin && options.role) throw new WrongUsage('Give --admin or --role, not both.');
    const role = options.admin ? 'administrator' : roleIn(options).role;
    if (role !== undefined && !options.password)
      throw new CommandRefused(
        `Refused: a user without a password ${role === 'administrator' ? 'is never an administrator' : 'has no role'}.`,
      );
    const fault = faultOfNewName(name);
    if (fault !== undefined) throw new CommandRefused(`Refused: ${fault}.`);
    const profile = profileIn(options);
    const password = options.password
      ? await newPassword(name, options.passwordStdin === true, settings, terminal)
      : undefined;
    const passwordHash =
      password === undefined ? undefined : await hashPassword(password, hashCostIn(settings));
    const user = newUser(name, {
      namesCaseSensitive: settings.namesCaseSensitive,
      passwordHash,
      administrator: role === 'administrator',
    });
    await onStoreToAdd(settings, (store, clock) =>
      store.write(async (unit) => {
        const added = await unit.users.add(user);
        if (added === undefined) throw new CommandRefused(`Refused: there is a user "${name}" already.`);
        await complete(unit, added, profile, role, clock());
      }),
    );
    terminal.stdout.write(`Added "${user.name}".\n`);
  });
}

/** Gives a new user its profile and role, and records what was done. */
async function complete(
  unit: WriteUnit,
  added: User,
  profile: Profile,
  role: Role | undefined,
  now: number,
): Promise<void> {
  const reason = added.administrator ? 'administrator' : undefined;
  await record(unit, now, { kind: 'user-added', user: added.name, reason });
  await recorded(unit, now, await changeProfile(unit, added, profile));
  await recorded(unit, now, await giveRole(unit, added, role));
}
