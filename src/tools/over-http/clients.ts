import { printList } from '../../faces/cli/print.ts';
import { type RemoteCommand, rowsOf } from './remote-command.ts';

export const addClient: RemoteCommand = {
  options: [],
  async does(admin, [name = ''], _, { stdout }) {
    const { value } = await admin.call('POST /clients', { body: { name } });
    stdout.write(`Added the client "${value.name}". Its secret is shown this once:\n${value.secret}\n`);
  },
};

export const listClients: RemoteCommand = {
  options: ['json'],
  async does(admin, _, { json }, terminal) {
    const pages = rowsOf(admin.pages('GET /clients'), ({ name, addedAt }) => ({ name, added: addedAt }));
    await printList(terminal, ['name', 'added'], pages, json === true);
  },
};

export const removeClient: RemoteCommand = {
  options: [],
  async does(admin, [name = ''], _, { stdout }) {
    await admin.call('DELETE /clients/{name}', { path: { name } });
    stdout.write(`Removed the client "${name}".\n`);
  },
};
