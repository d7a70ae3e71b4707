import { Command } from 'commander';
import { faultOfClientName } from '../domain/client.ts';
import { COMMAND_LINE, type EventKind } from '../domain/event.ts';
import { newClientSecret } from '../identity/client-secret.ts';
import type { WriteUnit } from '../storage/store.ts';
import { onStore, settingsFor, storeCommand, type Terminal } from './context.ts';
import { Refused } from './failure.ts';
import { printList, time } from './print.ts';

/** Records what the command line changed of a client, in the same transaction. */
function record(unit: WriteUnit, kind: EventKind, name: string, at: number): Promise<void> {
  return unit.events.append({ at, kind, from: COMMAND_LINE, reason: name });
}

function addCommand(terminal: Terminal): Command {
  return storeCommand('add', 'Register a client. Its secret is made here and shown once.')
    .argument('<name>', 'Name of the client: its client_id.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const fault = faultOfClientName(name);
      if (fault !== undefined) throw new Refused(`Refused: ${fault}.`);
      const { secret, digest } = newClientSecret();
      const at = Date.now();
      await onStore(settings, (store) =>
        store.write(async (unit) => {
          if (!(await unit.clients.add({ name, secretDigest: digest, addedAt: at })))
            throw new Refused(
              `Refused: there is a client "${name}" already. For a new secret remove it first, then add it.`,
            );
          await record(unit, 'client-added', name, at);
        }),
      );
      terminal.stdout.write(`Added the client "${name}". Its secret is shown this once:\n${secret}\n`);
    });
}

function listCommand(terminal: Terminal): Command {
  return storeCommand('list', 'List the clients.')
    .option('--json', 'As JSON.')
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      const clients = await onStore(settings, (store) => store.read((unit) => unit.clients.list()));
      const rows = clients.map(({ name, addedAt }) => ({ name, added: time(addedAt) }));
      await printList(terminal, ['name', 'added'], [rows], options.json === true);
    });
}

function removeCommand(terminal: Terminal): Command {
  return storeCommand('remove', 'Remove a client: its secret is refused from the next request on.')
    .argument('<name>', 'Name of the client.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      await onStore(settings, (store) =>
        store.write(async (unit) => {
          if (!(await unit.clients.remove(name)))
            throw new Refused(`There is no client "${name}": see 'tessera clients list'.`);
          await record(unit, 'client-removed', name, Date.now());
        }),
      );
      terminal.stdout.write(`Removed the client "${name}".\n`);
    });
}

/** `tessera clients` */
export function clientsCommand(terminal: Terminal): Command {
  return new Command('clients')
    .description('Programs that may ask about tickets and end them, such as API gateways.')
    .addCommand(addCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(removeCommand(terminal));
}
