import type { Command } from 'commander';
import type { Forbidden, Made } from '../../../../core/domain/outcome.ts';
import { onStore, settingsFor, storeCommand } from '../../../../faces/cli/context.ts';
import { existingUser } from '../../../../faces/cli/existing-user.ts';
import { WrongUsage } from '../../../../faces/cli/failure.ts';
import { recorded } from '../../../../faces/cli/record.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { changeProfile, giveRole } from '../../rules/users.ts';
import { nothingToChange } from './change.ts';
import { profileIn, roleIn, withProfile } from './profile-options.ts';

/** `tessera users change` */
export function changeCommand(terminal: Terminal): Command {
  const command = storeCommand(
    terminal,
    'change',
    'Change the profile or the role of a user. An empty text removes a field.',
  );
  return withProfile(command.argument('<name>', 'User name.')).action(async (name: string, options) => {
    const { settings } = settingsFor(options, terminal);
    const [profile, rank] = [profileIn(options), roleIn(options)];
    if (Object.keys({ ...profile, ...rank }).length === 0)
      throw new WrongUsage('Give what to change, such as --email or --role: see --help.');
    const { said, unmanned } = await onStore(terminal, settings, (store, clock) =>
      store.write(async (unit) => {
        const user = await existingUser(unit, name, settings);
        const outcomes: (Made | Forbidden)[] = [await changeProfile(unit, user, profile)];
        if ('role' in rank) outcomes.push(await giveRole(unit, user, rank.role));
        let changes = 0;
        for (const outcome of outcomes) changes += (await recorded(unit, clock(), outcome)).events.length;
        return {
          said: changes === 0 ? nothingToChange(user.name) : `Changed "${user.name}".`,
          unmanned: 'role' in rank && !(await unit.roles.hasAdministrator()),
        };
      }),
    );
    terminal.stdout.write(`${said}\n`);
    if (unmanned)
      terminal.stderr.write(
        "There is no administrator now: make one with 'tessera users change NAME --role administrator'.\n",
      );
  });
}
