import { Command } from 'commander';
import type { Static } from 'typebox';
import { WrongUsage } from '../../../faces/cli/failure.ts';
import { operationCommand, withRunner } from '../../../faces/cli/operation-command.ts';
import { type PrintedRow, printList, rowsOf } from '../../../faces/cli/print.ts';
import { pagesOf, type Runner } from '../../../faces/cli/runner.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import type { ticketOfUserShown } from '../representations/ticket.ts';

const userGet = () => import('../../people/operations/admin/users/user.get.ts');
const ticketsDelete = () => import('../operations/admin/tickets.delete.ts');
const ticketsGet = () => import('../operations/admin/tickets.get.ts');
const userTicketsDelete = () => import('../operations/admin/users/tickets.delete.ts');
const userTicketsGet = () => import('../operations/admin/users/tickets.get.ts');

const HEADINGS = [
  'digest',
  'user',
  'state',
  'issued',
  'used',
  'from',
  'methods',
  'program',
  'appPassword',
  'tokenProvider',
  'application',
];

const rowOf = ({ issuedAt, usedAt, ...ticket }: Static<typeof ticketOfUserShown>): PrintedRow => ({
  digest: ticket.digest,
  user: ticket.user,
  state: ticket.state,
  issued: issuedAt,
  used: usedAt,
  from: ticket.from,
  methods: ticket.methods?.join(' '),
  program: ticket.program,
  appPassword: ticket.appPassword,
  tokenProvider: ticket.tokenProvider,
  application: ticket.application,
});

async function* rowsOfUser(runner: Runner, userName: string): AsyncGenerator<PrintedRow[]> {
  const path = { userName };
  const { value } = await runner.run(userGet, { path });
  const pages = pagesOf(runner, userTicketsGet, { path });
  yield* rowsOf(pages, (ticket) => rowOf({ ...ticket, user: value.userName }));
}

function listCommand(terminal: Terminal): Command {
  return operationCommand(
    terminal,
    'list',
    'List the tickets that are kept, by the first digits of their digest.',
  )
    .option('--user <name>', 'Only those of this user.')
    .option('--json', 'As JSON.')
    .action((options) =>
      withRunner(terminal, options, async (runner) => {
        const rows =
          options.user === undefined
            ? rowsOf(pagesOf(runner, ticketsGet, {}), rowOf)
            : rowsOfUser(runner, options.user);
        await printList(terminal, HEADINGS, rows, options.json === true);
      }),
    );
}

function revokeCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'revoke', 'End tickets, for the next request on.')
    .option('--user <name>', 'Those of this user.')
    .option('--all', 'Those of every user.')
    .action((options) => {
      const { user, all } = options;
      if ((user === undefined) === (all !== true)) throw new WrongUsage('Give --user NAME or --all.');
      return withRunner(terminal, options, async (runner) => {
        if (all) {
          await runner.run(ticketsDelete, {});
          terminal.stdout.write('Every ticket has ended.\n');
          return;
        }
        const path = { userName: user as string };
        await runner.together([userGet, userTicketsDelete], async (run, say) => {
          const { value } = await run(userGet, { path });
          await run(userTicketsDelete, { path });
          say(`The tickets of "${value.userName}" have ended.\n`);
        });
      });
    });
}

/** `tessera tickets` */
export function ticketsCommand(terminal: Terminal): Command {
  return new Command('tickets')
    .description('The tickets that logins have issued.')
    .addCommand(listCommand(terminal))
    .addCommand(revokeCommand(terminal));
}
