import { join } from 'node:path';
import { compared, type Side } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { type Request, writeRequests } from '../load/requests.ts';
import { atLeast } from '../report/aim.ts';
import { ticketOf, zipf } from '../seeding/draws.ts';
import { nameOf, PASSWORD, usersFor } from '../seeding/tickets.ts';
import { bareLike } from '../servers/bare-like.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import { cheapen } from './credentials.ts';
import type { Bench, Line, Row } from './row.ts';

const CONNECTIONS = 64;
/** An address may have fewer sign-ins waiting for their hash. */
const SIGNING_IN = 32;
const WORKING_SET = 10_000;
const DRAWS = 50_000;
const ACCOUNT = '/portal/account';
/** The cheapest hash: most of the cost of a sign-in is then what the page adds. */
const CHEAP = { TESSERA_HASH_MEMORY: '8', TESSERA_HASH_PASSES: '1' };

const cookieOf = (number: number) => ({ cookie: `tessera=${ticketOf(number)}` });

/** Requests by their number in a round. */
type Drawn = (round: number, at: number) => Request;

const side =
  ({ folder }: Bench, server: Server, request: Drawn, connections = CONNECTIONS): Side =>
  (round, seconds) => {
    const all = Array.from({ length: DRAWS }, (_, at) => request(round, at));
    return load(server, { requests: writeRequests(join(folder, 'portal'), all), connections, seconds });
  };

/** Compares the account page with a bare server that sends the same bytes. */
async function account(bench: Bench): Promise<Line> {
  await using ours = await startTessera(await bench.dataFolder(), { TESSERA_LOG_LEVEL: 'warn' });
  const samples = { paths: [ACCOUNT, ACCOUNT], parts: ['', ''], headers: cookieOf(0) } as const;
  await using bare = await bareLike(ours, samples);
  const draw = zipf(bench.tickets, WORKING_SET);
  const request: Drawn = (round, at) => ({
    method: 'GET',
    path: ACCOUNT,
    headers: cookieOf(draw(`round ${round}`, at)),
  });
  const name = `account page, drawn by Zipf from ${WORKING_SET.toLocaleString('en')}`;
  return await compared(bench, { name }, side(bench, ours, request), side(bench, bare, request));
}

/** Compares sign-ins by the form of the page with logins by POST of the API, of the same users. */
async function signIn(bench: Bench): Promise<Line> {
  const data = await bench.dataFolder();
  await cheapen(data);
  await using ours = await startTessera(data, { ...CHEAP, TESSERA_LOG_LEVEL: 'warn' });
  const users = Math.min(usersFor(bench.tickets), WORKING_SET);
  const login: Drawn = (_, at) => ({
    method: 'POST',
    path: '/api/login',
    body: JSON.stringify({ username: nameOf(at % users), password: PASSWORD }),
  });
  const form: Drawn = (_, at) => ({
    method: 'POST',
    path: '/portal/login',
    body: `username=${nameOf(at % users)}&password=${PASSWORD}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
  });
  const about = { name: 'sign-in by the page, against a login by POST', aim: atLeast(0.9) };
  return await compared(
    bench,
    about,
    side(bench, ours, form, SIGNING_IN),
    side(bench, ours, login, SIGNING_IN),
  );
}

/** Measures the account page, and what a sign-in in a browser costs. */
export const portal: Row = {
  name: 'portal',
  measure: async (bench) => [await account(bench), await signIn(bench)],
};
