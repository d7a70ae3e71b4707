import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { APP_PASSWORD_BYTES } from '../../../core/domain/app-password.ts';
import { stateOf } from '../../../core/domain/ticket.ts';
import { newAppPassword } from '../../../core/identity/client-secret.ts';
import { lifetimeIn } from '../../../core/settings/derived.ts';
import { onStore, settingsFor, storeCommand } from '../../../faces/cli/context.ts';
import { existingUser } from '../../../faces/cli/existing-user.ts';
import { CommandRefused } from '../../../faces/cli/failure.ts';
import { printList, time } from '../../../faces/cli/print.ts';
import { recorded } from '../../../faces/cli/record.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import { timeOption } from '../../../faces/cli/time-option.ts';
import { makeAppPasswordFor, removeAppPassword } from '../rules/app-passwords.ts';
import { appPasswordsInUse } from '../rules/app-passwords-in-use.ts';

/** The columns of the list. */
export const APP_PASSWORD_HEADINGS = ['name', 'made', 'expires', 'used', 'tickets', 'addresses'];

/** The addresses in a flag: with commas, and an empty text for none. */
export const addressesIn = (flag: string | undefined): string[] =>
  (flag ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** The output of `users app-passwords add`. */
export const sayMade = (name: string, user: string, password: string): string =>
  `Made the app password "${name}" for "${user}". It is shown this once:\n${password}\n`;

/** The output of `users app-passwords remove`. */
export const sayRemoved = (name: string, user: string): string =>
  `Removed the app password "${name}" of "${user}". The tickets that came from it have ended.\n`;

function addCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'add', 'Make an app password for a user. It is shown once.')
    .argument('<user>', 'User name.')
    .argument('<name>', 'Name of the app password: the program that uses it.')
    .option('--expires <time>', 'From then on it is refused: a date, or a duration from now such as P90D.')
    .option('--addresses <list>', 'From where it works, with commas: 192.0.2.7,198.51.100.0/24.')
    .action(async (userName: string, name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const expires =
        options.expires === undefined ? undefined : timeOption('--expires', options.expires, 'from now');
      const addresses = addressesIn(options.addresses);
      const { password, digest } = newAppPassword(randomBytes(APP_PASSWORD_BYTES));
      const user = await onStore(terminal, settings, (store, clock) =>
        store.write(async (unit) => {
          const found = await existingUser(unit, userName, settings);
          const asked = { name, digest, expiresAt: expires?.(clock()), addresses };
          await recorded(unit, clock(), await makeAppPasswordFor(unit, found, asked, clock()));
          return found.name;
        }),
      );
      terminal.stdout.write(sayMade(name, user, password));
    });
}

function listCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'list', 'List the app passwords of a user.')
    .argument('<user>', 'User name.')
    .option('--json', 'As JSON.')
    .action(async (userName: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const found = await onStore(terminal, settings, (store, clock) =>
        store.read(async (unit) =>
          appPasswordsInUse(unit, await existingUser(unit, userName, settings), (kept) =>
            stateOf(kept, clock(), lifetimeIn(settings)),
          ),
        ),
      );
      const timeIf = (at: number | undefined) => (at === undefined ? undefined : time(at));
      const rows = (found ?? []).map(({ name, madeAt, expiresAt, usedAt, tickets, addresses }) => ({
        name,
        made: time(madeAt),
        expires: timeIf(expiresAt),
        used: timeIf(usedAt),
        tickets,
        addresses: addresses.join(',') || undefined,
      }));
      await printList(terminal, APP_PASSWORD_HEADINGS, [rows], options.json === true);
    });
}

function removeCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'remove',
    'Remove an app password of a user. The tickets that came from it end.',
  )
    .argument('<user>', 'User name.')
    .argument('<name>', 'Name of the app password.')
    .action(async (userName: string, name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const user = await onStore(terminal, settings, (store, clock) =>
        store.write(async (unit) => {
          const found = await existingUser(unit, userName, settings);
          const made = await removeAppPassword(unit, found, name);
          if (made === undefined)
            throw new CommandRefused(
              `"${found.name}" has no app password "${name}": see 'tessera users app-passwords list'.`,
            );
          await recorded(unit, clock(), made);
          return found.name;
        }),
      );
      terminal.stdout.write(sayRemoved(name, user));
    });
}

/** `tessera users app-passwords` */
export function appPasswordsCommand(terminal: Terminal): Command {
  return new Command('app-passwords')
    .description('Passwords of a user for programs, one for each.')
    .addCommand(addCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(removeCommand(terminal));
}
