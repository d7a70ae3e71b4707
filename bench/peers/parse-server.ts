import { existsSync } from 'node:fs';
import { Postgres, whyNoPostgres } from '../../test/service/postgres.ts';
import type { Request } from '../load/requests.ts';
import { inCheckout, type Server, startServer } from '../servers/servers.ts';
import { forUsers, PASSWORD, type Peer, send } from './peer.ts';

const HEADERS = { 'x-parse-application-id': 'bench', 'content-type': 'application/json' };
const DURABLE = ['fsync = on', 'shared_buffers = 512MB'];

const post = (path: string, body: object): Request => ({
  method: 'POST',
  path: `/parse/${path}`,
  body: JSON.stringify(body),
  headers: HEADERS,
});

const loginOf = (username: string) => post('login', { username, password: PASSWORD });

/** The newest Node that parse-server supports, from the packages of bench/; otherwise the Node of the checkout. */
function node(): string {
  const brought = inCheckout(`bench/node_modules/node-24-linux-${process.arch}/bin/node`);
  return existsSync(brought) ? brought : inCheckout('bin/node');
}

async function startOn(postgres: Postgres): Promise<Server> {
  const words = [inCheckout('bench/peers/serve/parse-server.js'), await postgres.freshDatabase()];
  const server = await startServer(node(), words, {
    NODE_ENV: 'production',
    // parse-server reads this before its options, and would write its log into the current folder.
    PARSE_SERVER_LOGS_FOLDER: 'null',
  });
  const dispose = async () => {
    await server[Symbol.asyncDispose]();
    await postgres.remove();
  };
  return { ...server, [Symbol.asyncDispose]: dispose };
}

/** parse-server with the PostgreSQL of this machine. */
export const parseServer: Peer = {
  name: 'parse-server, PostgreSQL',
  async start() {
    const why = whyNoPostgres();
    if (why !== undefined) throw new Error(why);
    const postgres = await Postgres.start(...DURABLE);
    try {
      return await startOn(postgres);
    } catch (error) {
      await postgres.remove();
      throw error;
    }
  },
  async logIn(server) {
    const validations = await forUsers(async (username): Promise<Request> => {
      await send(server, post('users', { username, password: PASSWORD }));
      const { sessionToken } = (await (await send(server, loginOf(username))).json()) as {
        sessionToken: string;
      };
      const headers = { 'x-parse-application-id': 'bench', 'x-parse-session-token': sessionToken };
      return { method: 'GET', path: '/parse/users/me', headers };
    });
    return { validations, logins: await forUsers(async (name) => loginOf(name)) };
  },
  isLive: (body) => body.includes('"username"'),
  aims: { validations: 30, logins: 4 },
  notes: [
    'its hash is bcrypt of cost 10, which cannot be set; it keeps users and sessions in memory for ten minutes; on Node 24, the newest that it supports',
    "the processor time is the service's own: that of PostgreSQL comes on top",
  ],
};
