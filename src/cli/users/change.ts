import type { Command } from 'commander';
import type { EventKind } from '../../domain/event.ts';
import { type User, userKey } from '../../domain/user.ts';
import type { Settings } from '../../settings/table.ts';
import type { ReadUnit, UserChange, WriteUnit } from '../../storage/store.ts';
import { onStore, settingsFor, storeCommand, type Terminal } from '../context.ts';
import { CommandRefused } from '../failure.ts';
import { record } from '../record.ts';

/** The user with this name. Throws if there is none. */
export async function existingUser(
  unit: Pick<ReadUnit, 'users'>,
  name: string,
  settings: Settings,
): Promise<User> {
  const user = await unit.users.findByKey(userKey(name, settings.namesCaseSensitive));
  if (user === undefined) throw new CommandRefused(`There is no user "${name}": see 'tessera users list'.`);
  return user;
}

/** A change of a user by a command. */
export interface Change {
  readonly verb: string;
  readonly description: string;
  readonly kind: EventKind;
  /** The change. Undefined if the user is in that state already. */
  readonly of: (user: User) => UserChange | undefined;
  /** Further work in the same transaction. */
  readonly also?: (unit: WriteUnit, user: User, settings: Settings) => Promise<void>;
  readonly done: (name: string) => string;
}

/** A command that changes one user and prints what it did, or that there was nothing to change. */
export function changeCommand(change: Change, terminal: Terminal): Command {
  return storeCommand(change.verb, change.description)
    .argument('<name>', 'User name.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const said = await onStore(settings, (store, clock) =>
        store.write(async (unit) => {
          const user = await existingUser(unit, name, settings);
          const changed = change.of(user);
          if (changed !== undefined) {
            await unit.users.change(user.id, changed);
            await record(unit, change.kind, clock(), { user: user.name });
          }
          await change.also?.(unit, user, settings);
          return changed === undefined
            ? `Nothing to change: "${user.name}" is so already.`
            : change.done(user.name);
        }),
      );
      terminal.stdout.write(`${said}\n`);
    });
}
