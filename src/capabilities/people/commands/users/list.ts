import { type Command, Option } from 'commander';
import type { Static } from 'typebox';
import { operationCommand, withRunner } from '../../../../faces/cli/operation-command.ts';
import { type PrintedRow, printList, rowsOf } from '../../../../faces/cli/print.ts';
import { pagesOf } from '../../../../faces/cli/runner.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import type { listedUserShown } from '../../representations/admin/user.ts';

const usersGet = () => import('../../operations/admin/users/users.get.ts');

/** The characters of the shortest text that is searched for in the middle of a name. */
const SHORTEST_PART = 3;

/** The orders of the list, as the operation names them. */
const ORDERS = {
  name: 'userName',
  'name-descending': '-userName',
  'last-sign-in': 'lastSignIn',
  'last-sign-in-descending': '-lastSignIn',
} as const;

type UserInList = Static<typeof listedUserShown>;

/** The state of a user as commands print it. */
export const stateOf = ({ state, lockedUntil }: Pick<UserInList, 'state' | 'lockedUntil'>): string =>
  state === 'locked' && lockedUntil !== undefined ? `locked until ${lockedUntil}` : state;

const searchFor = (text: string | undefined) =>
  text && ([...text].length < SHORTEST_PART ? { prefix: text } : { search: text });

function rowOf(user: UserInList): PrintedRow {
  const { userName: name, administrator, hasPassword: password, provider, lastSignIn, profile } = user;
  return { name, administrator, state: stateOf(user), password, provider, lastSignIn, ...profile };
}

/** `tessera users list` */
export function listCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'list', 'List the users.')
    .option(
      '--search <text>',
      `Only those with this text in user name, first or last name, or e-mail. Under ${SHORTEST_PART} characters: whose user name begins with it.`,
    )
    .option('--admin', 'Only administrators. Those by a group are not among them.')
    .option('--disabled', 'Only disabled users.')
    .option('--locked', 'Only users who are locked out.')
    .option('--without-second-factor', 'Only users who have no second factor.')
    .option('--never-signed-in', 'Only users who never signed in.')
    .addOption(new Option('--sort <order>', 'The order of the list.').choices(Object.keys(ORDERS)))
    .option('--json', 'As JSON, with the profiles.')
    .action((options) =>
      withRunner(terminal, options, async (runner) => {
        const query = {
          ...(searchFor(options.search) || {}),
          administrators: options.admin && 'true',
          disabled: options.disabled && 'true',
          locked: options.locked && 'true',
          withoutSecondFactor: options.withoutSecondFactor && 'true',
          neverSignedIn: options.neverSignedIn && 'true',
          sort: ORDERS[options.sort as keyof typeof ORDERS],
        };
        await printList(
          terminal,
          ['name', 'administrator', 'state', 'password', 'provider', 'lastSignIn'],
          rowsOf(pagesOf(runner, usersGet, { query }), rowOf),
          options.json === true,
        );
      }),
    );
}
