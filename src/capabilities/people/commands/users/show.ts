import type { Command } from 'commander';
import type { Profile } from '../../../../core/domain/profile.ts';
import { lifetimeIn } from '../../../../core/settings/derived.ts';
import { onStore, settingsFor, storeCommand } from '../../../../faces/cli/context.ts';
import { existingUser } from '../../../../faces/cli/existing-user.ts';
import { printDetails } from '../../../../faces/cli/print.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { stateOf } from './list.ts';

/** `tessera users show` */
export function showCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'show', 'Show one user: profile, role, groups.')
    .argument('<name>', 'User name.')
    .option('--json', 'As JSON.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const shown = await onStore(terminal, settings, (store, clock) =>
        store.read(async (unit) => {
          const user = await existingUser(unit, name, settings);
          const groups = await unit.groups.ofUser(user.id);
          const profile: Profile = await unit.profiles.find(user.id);
          return {
            name: user.name,
            role: await unit.roles.of(user.id),
            state: stateOf(user, clock(), lifetimeIn(settings)),
            password: user.passwordHash !== undefined,
            provider: user.provider,
            mustChangePassword: user.mustChangePassword || undefined,
            secondFactor: user.hasSecondFactor || undefined,
            appPasswords: (await unit.appPasswords.ofUser(user.id)).length || undefined,
            ...profile,
            groups: groups.filter(({ direct }) => direct).map((group) => group.name),
            inheritedGroups: groups.filter(({ direct }) => !direct).map((group) => group.name),
          };
        }),
      );
      await printDetails(terminal, shown, options.json === true);
    });
}
