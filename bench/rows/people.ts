import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compared, type Side } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { type Request, writeRequests } from '../load/requests.ts';
import { type Aim, atLeast } from '../report/aim.ts';
import { ticketOf, uniform, zipf } from '../seeding/draws.ts';
import { holderOf, nameOf, seed } from '../seeding/tickets.ts';
import { bareLike } from '../servers/bare-like.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import type { Bench, Line, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
const DRAWS = 100_000;
/** Tickets in the store of many users. */
const FEW = 1_000;
const QUIET = { TESSERA_LOG_LEVEL: 'warn' };
const ME = '/alfresco/api/-default-/public/alfresco/versions/1/people/-me-';
const holder = `alf_ticket=${ticketOf(0)}`;
const USERS = '/api/admin/users';
/** A page has to cost less than this many users that are shown alone. */
const POINT_READS = 20;

const all = `${USERS}?${holder}`;
/** The pages of the list of users that are measured, each with the query for the request with this number. */
const PAGES: readonly (readonly [name: string, path: (number: number) => string])[] = [
  ['the first users', () => all],
  ['users by prefix', (number) => `${all}&prefix=${nameOf(number)}`],
  ['users by a part that all have', () => `${all}&search=ser`],
  ['users by a part that few have', (number) => `${all}&search=${String(number).padStart(6, '9')}`],
  ['users by a part that none has', (number) => `${all}&search=none-${number}`],
];

function drawnFrom(
  { folder }: Bench,
  path: (at: number, round: number) => string,
): (round: number) => string {
  return (round) =>
    writeRequests(
      join(folder, 'people'),
      Array.from({ length: DRAWS }, (_, at): Request => ({ method: 'GET', path: path(at, round) })),
    );
}

const side =
  (server: Server, requests: (round: number) => string): Side =>
  (round, seconds) =>
    load(server, { requests: requests(round), connections: CONNECTIONS, seconds });

/** Compares the answer to `-me-` with a bare server that sends the same bytes. */
async function me(bench: Bench): Promise<Line> {
  await using ours = await startTessera(await bench.dataFolder(), QUIET);
  const path = `${ME}?${holder}`;
  await using bare = await bareLike(ours, { paths: [path, path], parts: ['', ''] });
  const draw = zipf(bench.tickets, WORKING_SET);
  const requests = drawnFrom(
    bench,
    (at, round) => `${ME}?alf_ticket=${ticketOf(draw(`round ${round}`, at))}`,
  );
  const name = `people/-me-, drawn by Zipf from ${WORKING_SET.toLocaleString('en')}`;
  return await compared(bench, { name }, side(ours, requests), side(bare, requests));
}

/** A data folder with so many users, of whom the holder of the first ticket is an administrator. */
async function manyUsers({ folder, tickets: users, say }: Bench): Promise<string> {
  const data = join(folder, 'many-users');
  say(`seeding ${users} users`);
  await seed(data, FEW, { users });
  using database = new DatabaseSync(join(data, 'tessera.db'));
  database.prepare('UPDATE users SET administrator = 1 WHERE name = ?').run(nameOf(holderOf(0)));
  return data;
}

/** Compares pages of the list of many users with a bare server, and with users who are shown one by one. */
async function pages(bench: Bench): Promise<Line[]> {
  const users = bench.tickets;
  await using ours = await startTessera(await manyUsers(bench), QUIET);
  await using bare = await bareLike(ours, { paths: [all, all], parts: ['', ''] });
  const draw = uniform(users);
  const one = drawnFrom(bench, (at, round) => `${USERS}/${nameOf(draw(`round ${round}`, at))}?${holder}`);
  const first = drawnFrom(bench, () => all);
  const name = `admin/users, a page of 100 of ${users} users`;
  const lines = [await compared(bench, { name }, side(ours, first), side(bare, first))];
  const aim: Aim = atLeast(1 / POINT_READS);
  for (const [which, path] of PAGES) {
    const page = drawnFrom(bench, (at, round) => path(draw(`page ${round}`, at)));
    const about = { name: `admin/users, a page of ${which} of ${users}, against one user shown`, aim };
    lines.push(await compared(bench, about, side(ours, page), side(ours, one)));
  }
  return lines;
}

/** Measures who asks who it is, and the list of many users. */
export const people: Row = {
  name: 'people',
  measure: async (bench) => [await me(bench), ...(await pages(bench))],
};
