import { TICKET_HEADINGS } from '../../capabilities/admin/commands/tickets.ts';
import type { AdminClient, ListedBy } from '../../client/admin.ts';
import { WrongUsage } from '../../faces/cli/failure.ts';
import { type PrintedRow, printList } from '../../faces/cli/print.ts';
import { type RemoteCommand, rowsOf } from './remote-command.ts';

const rowOf = ({ issuedAt, usedAt, ...told }: ListedBy<'GET /tickets'>): PrintedRow => ({
  digest: told.digest,
  user: told.user,
  state: told.state,
  issued: issuedAt,
  used: usedAt,
  from: told.from,
  program: told.program,
  appPassword: told.appPassword,
  tokenProvider: told.tokenProvider,
});

/** Pages of the tickets of one user, as rows. */
async function* rowsOfUser(admin: AdminClient, userName: string): AsyncGenerator<PrintedRow[]> {
  const path = { userName };
  const { value } = await admin.call('GET /users/{userName}', { path });
  const pages = admin.pages('GET /users/{userName}/tickets', { path, query: { limit: '1000' } });
  yield* rowsOf(pages, (ticket) => rowOf({ ...ticket, user: value.userName }));
}

export const listTickets: RemoteCommand = {
  options: ['user', 'json'],
  async does(admin, _, { user, json }, terminal) {
    const rows =
      user === undefined
        ? rowsOf(admin.pages('GET /tickets', { query: { limit: '1000' } }), rowOf)
        : rowsOfUser(admin, String(user));
    await printList(terminal, TICKET_HEADINGS, rows, json === true);
  },
};

export const revokeTickets: RemoteCommand = {
  options: ['user', 'all'],
  async does(admin, _, { user, all }, { stdout }) {
    if ((user === undefined) === (all !== true)) throw new WrongUsage('Give --user NAME or --all.');
    if (all) {
      await admin.call('DELETE /tickets');
      stdout.write('Every ticket has ended.\n');
      return;
    }
    const userName = String(user);
    await admin.call('DELETE /users/{userName}/tickets', { path: { userName } });
    stdout.write(`The tickets of "${userName}" have ended.\n`);
  },
};
