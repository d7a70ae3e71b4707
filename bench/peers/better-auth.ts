import type { Request } from '../load/requests.ts';
import { inCheckout, type Server, startServer } from '../servers/servers.ts';
import { forUsers, PASSWORD, type Peer, type Requests, send } from './peer.ts';

const emailOf = (name: string) => `${name}@bench.example`;

function post(server: Server, path: string, body: object): Request {
  const headers = { 'content-type': 'application/json', origin: server.url };
  return { method: 'POST', path: `/api/auth/${path}`, body: JSON.stringify(body), headers };
}

const loginOf = (server: Server, name: string) =>
  post(server, 'sign-in/email', { email: emailOf(name), password: PASSWORD });

async function logIn(server: Server): Promise<Requests> {
  const validations = await forUsers(async (name): Promise<Request> => {
    await send(server, post(server, 'sign-up/email', { name, email: emailOf(name), password: PASSWORD }));
    const answer = await send(server, loginOf(server, name));
    const cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    return { method: 'GET', path: '/api/auth/get-session', headers: { cookie } };
  });
  return { validations, logins: await forUsers(async (name) => loginOf(server, name)) };
}

interface Variant {
  readonly name: string;
  readonly cookieCache: 'cached' | 'uncached';
  readonly hash: 'default' | 'argon2id';
  readonly aims: Peer['aims'];
  readonly notes: readonly string[];
}

function variant({ name, cookieCache, hash, aims, notes }: Variant): Peer {
  const file = inCheckout('bench/peers/serve/better-auth.js');
  return {
    name: `better-auth, ${name}`,
    start: (folder) =>
      startServer(inCheckout('bin/node'), [file, folder, cookieCache, hash], { NODE_ENV: 'production' }),
    logIn,
    isLive: (body) => body.includes('@bench.example'),
    aims,
    notes,
  };
}

/** better-auth with SQLite: by default, with sessions cached in a signed cookie, and with Tessera's password hash. */
export const betterAuth: readonly Peer[] = [
  variant({
    name: 'SQLite',
    cookieCache: 'uncached',
    hash: 'default',
    aims: { validations: 30, logins: 6 },
    notes: [
      'its own hash is scrypt with N = 16,384, r = 16, p = 1 (32 MiB); SQLite with a write-ahead log that is not synced at each commit; its rate limit is off',
    ],
  }),
  variant({
    name: 'SQLite, cookie cache',
    cookieCache: 'cached',
    hash: 'default',
    aims: { validations: 30 },
    notes: ['a session that was ended elsewhere lives on in the cookie until the cache ends'],
  }),
  variant({
    name: 'SQLite, argon2id',
    cookieCache: 'uncached',
    hash: 'argon2id',
    aims: {},
    notes: ['with the same library, memory, passes and lanes of argon2id as Tessera'],
  }),
];
