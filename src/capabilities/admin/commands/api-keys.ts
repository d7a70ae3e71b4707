import { randomBytes } from 'node:crypto';
import { Command, Option } from 'commander';
import { API_KEY_BYTES, faultOfApiKeyName } from '../../../core/domain/api-key.ts';
import { KEY_ROLES } from '../../../core/domain/role.ts';
import { newApiKey } from '../../../core/identity/client-secret.ts';
import { onStore, onStoreToAdd, settingsFor, storeCommand } from '../../../faces/cli/context.ts';
import { CommandRefused, WrongUsage } from '../../../faces/cli/failure.ts';
import { printList, time } from '../../../faces/cli/print.ts';
import { record } from '../../../faces/cli/record.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import { timeOption } from '../../../faces/cli/time-option.ts';

const timeIf = (at: number | undefined) => (at === undefined ? undefined : time(at));

function addCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'add', 'Add an API key. It is made here and shown once.')
    .argument('<name>', 'Name of the key.')
    .addOption(
      new Option('--role <role>', 'What it may do. scim: provision by SCIM, and nothing else.')
        .choices(KEY_ROLES)
        .makeOptionMandatory(),
    )
    .option('--expires <time>', 'From then on it is refused: a date, or a duration from now such as P90D.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const { role } = options;
      const expires =
        options.expires === undefined ? undefined : timeOption('--expires', options.expires, 'from now');
      const fault = faultOfApiKeyName(name);
      if (fault !== undefined) throw new CommandRefused(`Refused: ${fault}.`);
      const { key, digest } = newApiKey(randomBytes(API_KEY_BYTES));
      await onStoreToAdd(terminal, settings, async (store, clock) => {
        const [addedAt, expiresAt] = [clock(), expires?.(clock())];
        if (expiresAt !== undefined && expiresAt <= addedAt)
          throw new WrongUsage('--expires: that time is over. Give a later one.');
        const apiKey = { name, digest, role, addedAt, expiresAt, usedAt: undefined };
        await store.write(async (unit) => {
          if (!(await unit.apiKeys.add(apiKey)))
            throw new CommandRefused(
              `Refused: there is an API key "${name}" already. For a new one remove it first, then add it.`,
            );
          await record(unit, addedAt, { kind: 'api-key-added', reason: `${name}: ${role}` });
        });
      });
      terminal.stdout.write(`Added the API key "${name}". It is shown this once:\n${key}\n`);
    });
}

function listCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'list', 'List the API keys.')
    .option('--json', 'As JSON.')
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      const keys = await onStore(terminal, settings, (store) => store.read((unit) => unit.apiKeys.list()));
      const rows = keys.map(({ name, role, addedAt, expiresAt, usedAt }) => ({
        name,
        role,
        added: time(addedAt),
        expires: timeIf(expiresAt),
        used: timeIf(usedAt),
      }));
      const headings = ['name', 'role', 'added', 'expires', 'used'];
      await printList(terminal, headings, [rows], options.json === true);
    });
}

function removeCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'remove', 'Remove an API key: it is refused from the next request on.')
    .argument('<name>', 'Name of the key.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      await onStore(terminal, settings, (store, clock) =>
        store.write(async (unit) => {
          if (!(await unit.apiKeys.remove(name)))
            throw new CommandRefused(`There is no API key "${name}": see 'tessera api-keys list'.`);
          await record(unit, clock(), { kind: 'api-key-removed', reason: name });
        }),
      );
      terminal.stdout.write(`Removed the API key "${name}".\n`);
    });
}

/** `tessera api-keys` */
export function apiKeysCommand(terminal: Terminal): Command {
  return new Command('api-keys')
    .description('Keys by which machines administer the service.')
    .addCommand(addCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(removeCommand(terminal));
}
