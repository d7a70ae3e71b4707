import { join } from 'node:path';
import type { Request } from '../load/requests.ts';
import { seed } from '../seeding/tickets.ts';
import { startTessera } from '../servers/servers.ts';
import { forUsers, PASSWORD, type Peer, send, USERS } from './peer.ts';

const loginOf = (username: string): Request => ({
  method: 'POST',
  path: '/api/login',
  body: JSON.stringify({ username, password: PASSWORD }),
});

/** Tessera with its metrics, and with a log of warnings only, as the other services have. */
export const tessera: Peer = {
  name: 'Tessera',
  async start(folder) {
    const data = join(folder, 'data');
    await seed(data, 0, { users: USERS });
    return await startTessera(data, { TESSERA_LOG_LEVEL: 'warn' });
  },
  async logIn(server) {
    const validations = await forUsers(async (name): Promise<Request> => {
      const answer = await send(server, loginOf(name));
      const { ticket } = ((await answer.json()) as { data: { ticket: string } }).data;
      return { method: 'GET', path: `/api/login/ticket/${ticket}?alf_ticket=${ticket}` };
    });
    return { validations, logins: await forUsers(async (name) => loginOf(name)) };
  },
  isLive: (body) => body.includes('TICKET_'),
  aims: {},
  notes: ['argon2id of 19 MiB and two passes; each login is on disk before it is answered'],
};
