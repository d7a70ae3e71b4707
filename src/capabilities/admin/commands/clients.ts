import { Command } from 'commander';
import { listCommand, operationCommand, withRunner } from '../../../faces/cli/operation-command.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';

const clientDelete = () => import('../operations/admin/client.delete.ts');
const clientsGet = () => import('../operations/admin/clients.get.ts');
const clientsPost = () => import('../operations/admin/clients.post.ts');

function addCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'add', 'Register a client. Its secret is made here and shown once.')
    .argument('<name>', 'Name of the client: its client_id.')
    .action((name: string, options) =>
      withRunner(
        terminal,
        options,
        async ({ run }) => {
          const { value } = await run(
            clientsPost,
            { body: { name } },
            {
              client_taken: `Refused: there is a client "${name}" already. For a new secret remove it first, then add it.`,
            },
          );
          terminal.stdout.write(
            `Added the client "${value.name}". Its secret is shown this once:\n${value.secret}\n`,
          );
        },
        'adding',
      ),
    );
}

const listClients = (terminal: Terminal): Command =>
  listCommand(terminal, 'List the clients.', clientsGet, {
    name: ({ name }) => name,
    added: ({ addedAt }) => addedAt,
  });

function removeCommand(terminal: Terminal): Command {
  return operationCommand(
    terminal,
    'remove',
    'Remove a client: its secret is refused from the next request on.',
  )
    .argument('<name>', 'Name of the client.')
    .action((name: string, options) =>
      withRunner(terminal, options, async ({ run }) => {
        const missing = `There is no client "${name}": see 'tessera clients list'.`;
        await run(clientDelete, { path: { name } }, { client_not_found: missing });
        terminal.stdout.write(`Removed the client "${name}".\n`);
      }),
    );
}

/** `tessera clients` */
export function clientsCommand(terminal: Terminal): Command {
  return new Command('clients')
    .description('Programs that may ask about tickets and end them, such as API gateways.')
    .addCommand(addCommand(terminal))
    .addCommand(listClients(terminal))
    .addCommand(removeCommand(terminal));
}
