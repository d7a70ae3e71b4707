import { Command } from 'commander';
import { operationCommand, withRunner } from '../../../faces/cli/operation-command.ts';
import { printList, rowsOf } from '../../../faces/cli/print.ts';
import { pagesOf } from '../../../faces/cli/runner.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import { dateTime, timeOption } from '../../../faces/cli/time-option.ts';

const userGet = () => import('../../people/operations/admin/users/user.get.ts');
const appPasswordDelete = () => import('../operations/admin/users/apppassword.delete.ts');
const appPasswordsGet = () => import('../operations/admin/users/apppasswords.get.ts');
const appPasswordsPost = () => import('../operations/admin/users/apppasswords.post.ts');

/** The addresses in a flag: with commas, and an empty text for none. */
const addressesIn = (flag: string | undefined): string[] =>
  (flag ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

function addCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'add', 'Make an app password for a user. It is shown once.')
    .argument('<user>', 'User name.')
    .argument('<name>', 'Name of the app password: the program that uses it.')
    .option('--expires <time>', 'From then on it is refused: a date, or a duration from now such as P90D.')
    .option('--addresses <list>', 'From where it works, with commas: 192.0.2.7,198.51.100.0/24.')
    .action((userName: string, name: string, options) => {
      const expires =
        options.expires === undefined ? undefined : timeOption('--expires', options.expires, 'from now');
      return withRunner(terminal, options, async ({ together, now }) => {
        const expiresAt = expires && dateTime(expires(await now()));
        const [path, body] = [{ userName }, { name, expiresAt, addresses: addressesIn(options.addresses) }];
        await together([userGet, appPasswordsPost], async (run, say) => {
          const user = await run(userGet, { path });
          const { value } = await run(appPasswordsPost, { path, body });
          say(
            `Made the app password "${value.name}" for "${user.value.userName}". It is shown this once:\n${value.password}\n`,
          );
        });
      });
    });
}

function listCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'list', 'List the app passwords of a user.')
    .argument('<user>', 'User name.')
    .option('--json', 'As JSON.')
    .action((userName: string, options) =>
      withRunner(terminal, options, async (runner) => {
        const rows = rowsOf(
          pagesOf(runner, appPasswordsGet, { path: { userName } }),
          ({ name, madeAt, expiresAt, usedAt, tickets, addresses }) => ({
            name,
            made: madeAt,
            expires: expiresAt,
            used: usedAt,
            tickets,
            addresses: addresses.join(',') || undefined,
          }),
        );
        const headings = ['name', 'made', 'expires', 'used', 'tickets', 'addresses'];
        await printList(terminal, headings, rows, options.json === true);
      }),
    );
}

function removeCommand(terminal: Terminal): Command {
  return operationCommand(
    terminal,
    'remove',
    'Remove an app password of a user. The tickets that came from it end.',
  )
    .argument('<user>', 'User name.')
    .argument('<name>', 'Name of the app password.')
    .action((userName: string, name: string, options) =>
      withRunner(terminal, options, async ({ together }) => {
        await together([userGet, appPasswordDelete], async (run, say) => {
          const { value } = await run(userGet, { path: { userName } });
          const missing = `"${value.userName}" has no app password "${name}": see 'tessera users app-passwords list'.`;
          const path = { userName, appPassword: name };
          await run(appPasswordDelete, { path }, { app_password_not_found: missing });
          say(
            `Removed the app password "${name}" of "${value.userName}". The tickets that came from it have ended.\n`,
          );
        });
      }),
    );
}

/** `tessera users app-passwords` */
export function appPasswordsCommand(terminal: Terminal): Command {
  return new Command('app-passwords')
    .description('Passwords of a user for programs, one for each.')
    .addCommand(addCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(removeCommand(terminal));
}
