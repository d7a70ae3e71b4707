import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hashPassword } from '../../src/core/identity/password-hash.ts';
import { compared } from '../load/compared.ts';
import { load, type Measured } from '../load/load.ts';
import { validationOf } from '../load/request-files.ts';
import { type Request, writeRequests } from '../load/requests.ts';
import { atLeast } from '../report/aim.ts';
import { type Draw, ticketOf, uniform, zipf } from '../seeding/draws.ts';
import { holderOf, nameOf, PASSWORD, PER_USER } from '../seeding/tickets.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import type { Bench, Line, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
const DRAWS = 200_000;
/** Seconds that are enough to use every name of the working set once, with the cheapest hash. */
const WARMING = 8;
/** The longest measurement in seconds: verified credentials stay in the cache for a minute. */
const WARM_FOR = 45;

/** A way to present credentials: the ticket with this number, or the password of its user. */
interface Way {
  readonly name: string;
  readonly aim: number;
  readonly authorization: (number: number) => string;
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

const BY_TICKET: readonly Way[] = [
  {
    name: 'Basic ROLE_TICKET',
    aim: 0.95,
    authorization: (number) => basic(`ROLE_TICKET:${ticketOf(number)}`),
  },
  { name: 'Bearer', aim: 0.95, authorization: (number) => `Bearer ${ticketOf(number)}` },
];

const BY_PASSWORD: Way = {
  name: 'Basic user:password, warm',
  aim: 0.8,
  authorization: (number) => basic(`${nameOf(holderOf(number))}:${PASSWORD}`),
};

const CHEAPEST = { memory: 8, passes: 1, lanes: 1 };

/** Gives every user the cheapest hash: warming up needs one hash for each user, and the measurement none. */
export async function cheapen(data: string): Promise<void> {
  const database = new DatabaseSync(join(data, 'tessera.db'));
  database.prepare('UPDATE users SET password_hash = ?').run(await hashPassword(PASSWORD, CHEAPEST));
  database.close();
}

function byHeader({ folder }: Bench, way: Way, numbers: Iterable<number>): string {
  const requests = Array.from(numbers, (number): Request => {
    const headers = { authorization: way.authorization(number) };
    return { method: 'GET', path: `/api/login/ticket/${ticketOf(number)}`, headers };
  });
  return writeRequests(join(folder, 'by-header'), requests);
}

function byArgument({ folder }: Bench, numbers: Iterable<number>): string {
  const requests = Array.from(numbers, (number): Request => ({ method: 'GET', path: validationOf(number) }));
  return writeRequests(join(folder, 'by-argument'), requests);
}

/**
 * The tickets of one side in a round. Each side draws its own, because the server has already read the tickets of the other
 * side and noted their use.
 */
export const drawn = (draw: Draw, side: 'header' | 'argument', round: number) =>
  Array.from({ length: DRAWS }, (_, at) => draw(`${side}, round ${round}`, at));

/** As {@link drawn}, with new users in each round: those of the previous round leave the cache during this one. */
export const drawnAnew = (draw: Draw, round: number, tickets: number) =>
  drawn(draw, 'header', round).map((number) => (number + round * PER_USER) % tickets);

/** Puts every user of these tickets into the cache. */
async function warm(
  ask: (requests: string, seconds: number) => Promise<Measured>,
  bench: Bench,
  numbers: Set<number>,
) {
  const { perSecond } = await ask(byHeader(bench, BY_PASSWORD, numbers), WARMING);
  if (perSecond * WARMING < numbers.size)
    throw new Error(`${WARMING} s are too short to ask with every name once`);
}

/** Compares one way with `alf_ticket` at the same server. */
function lineFor(
  bench: Bench,
  ours: Server,
  way: Way,
  draw: Draw,
  from: string,
  aimed: boolean,
): Promise<Line> {
  const ask = (requests: string, seconds: number) =>
    load(ours, { requests, connections: CONNECTIONS, seconds });
  const name = `validate by ${way.name} against alf_ticket, drawn ${from}`;
  const about = { name, ...(aimed && { aim: atLeast(way.aim) }) };
  const header = async (round: number, seconds: number): Promise<Measured> => {
    if (way !== BY_PASSWORD) return await ask(byHeader(bench, way, drawn(draw, 'header', round)), seconds);
    const numbers = drawnAnew(draw, round, bench.tickets);
    await warm(ask, bench, new Set(numbers));
    return await ask(byHeader(bench, way, numbers), seconds);
  };
  const argument = (round: number, seconds: number) =>
    ask(byArgument(bench, drawn(draw, 'argument', round)), seconds);
  return compared(bench, about, header, argument);
}

/** Compares validations by a header with those by `alf_ticket`, at the same server. */
export const credentials: Row = {
  name: 'credentials',
  async measure(bench) {
    if (bench.seconds > WARM_FOR)
      throw new Error(`pairs stay warm for no more than ${WARM_FOR} s: give a lower --seconds`);
    const data = await bench.dataFolder();
    await cheapen(data);
    const hash = { TESSERA_HASH_MEMORY: '8', TESSERA_HASH_PASSES: '1' };
    await using ours = await startTessera(data, { TESSERA_LOG_LEVEL: 'warn', ...hash });
    const working = zipf(bench.tickets, WORKING_SET);
    const lines: Line[] = [];
    for (const way of BY_TICKET) {
      lines.push(await lineFor(bench, ours, way, working, 'by Zipf from 10,000', true));
      lines.push(await lineFor(bench, ours, way, uniform(bench.tickets), 'evenly from all', false));
    }
    const line = await lineFor(bench, ours, BY_PASSWORD, working, 'by Zipf from 10,000', true);
    const notes = [
      'each round has names of its own, and each was asked with once before it; evenly from all nothing stays warm',
    ];
    return [...lines, { ...line, notes: [...notes, ...line.notes] }];
  },
};
