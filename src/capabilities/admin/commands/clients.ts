import { Command } from 'commander';
import { faultOfClientName } from '../../../core/domain/client.ts';
import { newClientSecret } from '../../../core/identity/client-secret.ts';
import { onStore, onStoreToAdd, settingsFor, storeCommand } from '../../../faces/cli/context.ts';
import { CommandRefused } from '../../../faces/cli/failure.ts';
import { printList, time } from '../../../faces/cli/print.ts';
import { record } from '../../../faces/cli/record.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';

function addCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'add', 'Register a client. Its secret is made here and shown once.')
    .argument('<name>', 'Name of the client: its client_id.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      const fault = faultOfClientName(name);
      if (fault !== undefined) throw new CommandRefused(`Refused: ${fault}.`);
      const { secret, digest } = newClientSecret();
      await onStoreToAdd(terminal, settings, (store, clock) =>
        store.write(async (unit) => {
          if (!(await unit.clients.add({ name, secretDigest: digest, addedAt: clock() })))
            throw new CommandRefused(
              `Refused: there is a client "${name}" already. For a new secret remove it first, then add it.`,
            );
          await record(unit, clock(), { kind: 'client-added', reason: name });
        }),
      );
      terminal.stdout.write(`Added the client "${name}". Its secret is shown this once:\n${secret}\n`);
    });
}

function listCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'list', 'List the clients.')
    .option('--json', 'As JSON.')
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      const clients = await onStore(terminal, settings, (store) => store.read((unit) => unit.clients.list()));
      const rows = clients.map(({ name, addedAt }) => ({ name, added: time(addedAt) }));
      await printList(terminal, ['name', 'added'], [rows], options.json === true);
    });
}

function removeCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'remove', 'Remove a client: its secret is refused from the next request on.')
    .argument('<name>', 'Name of the client.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      await onStore(terminal, settings, (store, clock) =>
        store.write(async (unit) => {
          if (!(await unit.clients.remove(name)))
            throw new CommandRefused(`There is no client "${name}": see 'tessera clients list'.`);
          await record(unit, clock(), { kind: 'client-removed', reason: name });
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
