import {
  APP_PASSWORD_HEADINGS,
  addressesIn,
  sayMade,
  sayRemoved,
} from '../../capabilities/factors/commands/app-passwords.ts';
import { printList } from '../../faces/cli/print.ts';
import { timeOption } from '../../faces/cli/time-option.ts';
import { type RemoteCommand, rowsOf } from './remote-command.ts';

export const addAppPassword: RemoteCommand = {
  options: ['expires', 'addresses'],
  async does(admin, [userName = '', name = ''], { expires, addresses }, { stdout }) {
    const at = expires === undefined ? undefined : timeOption('--expires', String(expires), 'from now');
    const expiresAt = at && new Date(at(Date.now())).toISOString();
    const body = {
      name,
      addresses: addressesIn(addresses as string | undefined),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    const user = await admin.call('GET /users/{userName}', { path: { userName } });
    const { value } = await admin.call('POST /users/{userName}/app-passwords', { path: { userName }, body });
    stdout.write(sayMade(value.name, user.value.userName, value.password));
  },
};

export const listAppPasswords: RemoteCommand = {
  options: ['json'],
  async does(admin, [userName = ''], { json }, terminal) {
    const pages = admin.pages('GET /users/{userName}/app-passwords', { path: { userName } });
    const rows = rowsOf(pages, ({ name, madeAt, expiresAt, usedAt, tickets, addresses }) => ({
      name,
      made: madeAt,
      expires: expiresAt,
      used: usedAt,
      tickets,
      addresses: addresses.join(',') || undefined,
    }));
    await printList(terminal, APP_PASSWORD_HEADINGS, rows, json === true);
  },
};

export const removeAppPassword: RemoteCommand = {
  options: [],
  async does(admin, [userName = '', appPassword = ''], _, { stdout }) {
    const { value } = await admin.call('GET /users/{userName}', { path: { userName } });
    const path = { userName, appPassword };
    await admin.call('DELETE /users/{userName}/app-passwords/{appPassword}', { path });
    stdout.write(sayRemoved(appPassword, value.userName));
  },
};
