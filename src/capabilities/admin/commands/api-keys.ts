import { Command, Option } from 'commander';
import { KEY_ROLES } from '../../../core/domain/role.ts';
import { WrongUsage } from '../../../faces/cli/failure.ts';
import { listCommand, operationCommand, withRunner } from '../../../faces/cli/operation-command.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import { dateTime, timeOption } from '../../../faces/cli/time-option.ts';

const apikeyDelete = () => import('../operations/admin/apikey.delete.ts');
const apikeysGet = () => import('../operations/admin/apikeys.get.ts');
const apikeysPost = () => import('../operations/admin/apikeys.post.ts');

function addCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'add', 'Add an API key. It is made here and shown once.')
    .argument('<name>', 'Name of the key.')
    .addOption(
      new Option('--role <role>', 'What it may do. scim: provision by SCIM, and nothing else.')
        .choices(KEY_ROLES)
        .makeOptionMandatory(),
    )
    .option('--expires <time>', 'From then on it is refused: a date, or a duration from now such as P90D.')
    .action((name: string, options) => {
      const { role } = options;
      const expires =
        options.expires === undefined ? undefined : timeOption('--expires', options.expires, 'from now');
      return withRunner(
        terminal,
        options,
        async ({ run, now }) => {
          const at = expires && { expires: expires(await now()), now: await now() };
          if (at !== undefined && at.expires <= at.now)
            throw new WrongUsage('--expires: that time is over. Give a later one.');
          const body = { name, role, expiresAt: at && dateTime(at.expires) };
          const { value } = await run(
            apikeysPost,
            { body },
            {
              api_key_taken: `Refused: there is an API key "${name}" already. For a new one remove it first, then add it.`,
            },
          );
          terminal.stdout.write(`Added the API key "${value.name}". It is shown this once:\n${value.key}\n`);
        },
        'adding',
      );
    });
}

const listKeys = (terminal: Terminal): Command =>
  listCommand(terminal, 'List the API keys.', apikeysGet, {
    name: ({ name }) => name,
    role: ({ role }) => role,
    added: ({ addedAt }) => addedAt,
    expires: ({ expiresAt }) => expiresAt,
    used: ({ usedAt }) => usedAt,
  });

function removeCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'remove', 'Remove an API key: it is refused from the next request on.')
    .argument('<name>', 'Name of the key.')
    .action((name: string, options) =>
      withRunner(terminal, options, async ({ run }) => {
        const missing = `There is no API key "${name}": see 'tessera api-keys list'.`;
        await run(apikeyDelete, { path: { name } }, { api_key_not_found: missing });
        terminal.stdout.write(`Removed the API key "${name}".\n`);
      }),
    );
}

/** `tessera api-keys` */
export function apiKeysCommand(terminal: Terminal): Command {
  return new Command('api-keys')
    .description('Keys by which machines administer the service.')
    .addCommand(addCommand(terminal))
    .addCommand(listKeys(terminal))
    .addCommand(removeCommand(terminal));
}
