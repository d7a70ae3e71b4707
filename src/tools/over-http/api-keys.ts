import { printList } from '../../faces/cli/print.ts';
import { timeOption } from '../../faces/cli/time-option.ts';
import { type RemoteCommand, rowsOf } from './remote-command.ts';

export const addApiKey: RemoteCommand = {
  options: ['role', 'expires'],
  async does(admin, [name = ''], { role, expires }, { stdout }) {
    const at = expires === undefined ? undefined : timeOption('--expires', String(expires), 'from now');
    const expiresAt = at && new Date(at(Date.now())).toISOString();
    const body = { name, role: String(role), ...(expiresAt !== undefined && { expiresAt }) };
    const { value } = await admin.call('POST /api-keys', { body });
    stdout.write(`Added the API key "${value.name}". It is shown this once:\n${value.key}\n`);
  },
};

export const listApiKeys: RemoteCommand = {
  options: ['json'],
  async does(admin, _, { json }, terminal) {
    const rows = rowsOf(admin.pages('GET /api-keys'), ({ name, role, addedAt, expiresAt, usedAt }) => ({
      name,
      role,
      added: addedAt,
      expires: expiresAt,
      used: usedAt,
    }));
    await printList(terminal, ['name', 'role', 'added', 'expires', 'used'], rows, json === true);
  },
};

export const removeApiKey: RemoteCommand = {
  options: [],
  async does(admin, [name = ''], _, { stdout }) {
    await admin.call('DELETE /api-keys/{name}', { path: { name } });
    stdout.write(`Removed the API key "${name}".\n`);
  },
};
