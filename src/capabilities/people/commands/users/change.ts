import type { Command } from 'commander';
import type { Forbidden, Made } from '../../../../core/domain/outcome.ts';
import type { User } from '../../../../core/domain/user.ts';
import type { Settings } from '../../../../core/settings/table.ts';
import type { WriteUnit } from '../../../../core/storage/store.ts';
import { onStore, settingsFor, storeCommand } from '../../../../faces/cli/context.ts';
import { existingUser } from '../../../../faces/cli/existing-user.ts';
import { recorded } from '../../../../faces/cli/record.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';

/** A command that brings a user into a state. */
export interface StateCommand {
  readonly verb: string;
  readonly description: string;
  readonly change: (unit: WriteUnit, user: User, settings: Settings) => Promise<Made | Forbidden>;
  readonly done: (name: string) => string;
}

/** The message of a command that had nothing to change. */
export const nothingToChange = (name: string): string => `Nothing to change: "${name}" is so already.`;

/** A command that changes one user and prints what it did, or that there was nothing to change. */
export function stateCommand({ verb, description, change, done }: StateCommand, terminal: Terminal): Command {
  return storeCommand(terminal, verb, description)
    .argument('<name>', 'User name.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const said = await onStore(terminal, settings, (store, clock) =>
        store.write(async (unit) => {
          const user = await existingUser(unit, name, settings);
          const { events } = await recorded(unit, clock(), await change(unit, user, settings));
          return events.length === 0 ? nothingToChange(user.name) : done(user.name);
        }),
      );
      terminal.stdout.write(`${said}\n`);
    });
}
