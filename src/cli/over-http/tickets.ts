import { CommandRefused, WrongUsage } from '../failure.ts';
import { printList } from '../print.ts';
import { type RemoteCommand, rowsOf } from './remote-command.ts';

export const listTickets: RemoteCommand = {
  options: ['user', 'json'],
  async does(admin, _, { user, json }, terminal) {
    if (user === undefined)
      throw new CommandRefused(
        'Over HTTP the tickets of one user are listed: give --user NAME, or list all on the machine of the service.',
      );
    const path = { userName: String(user) };
    const { value } = await admin.call('GET /users/{userName}', { path });
    const pages = admin.pages('GET /users/{userName}/tickets', { path, query: { limit: '1000' } });
    const rows = rowsOf(pages, ({ digest, state, issuedAt, usedAt }) => ({
      ...{ digest, user: value.userName, state, issued: issuedAt, used: usedAt },
    }));
    await printList(terminal, ['digest', 'user', 'state', 'issued', 'used'], rows, json === true);
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
