import type { Model } from '../bare/answers.ts';
import { kept, load, type Measured } from '../load/load.ts';
import { byProcessorTime, shareNotes } from '../load/shares.ts';
import { validationOf, validations } from '../load/validations.ts';
import { interleave } from '../rounds.ts';
import type { Bench, Line, Row } from '../row.ts';
import { type Answered, ask, type Server, startBare, startTessera } from '../servers.ts';
import { type Draw, ticketOf, uniform, zipf } from '../tickets.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
const WARM_UP = 3;

/** Headers that `node:http` writes by itself. */
const BY_NODE = ['date', 'connection', 'keep-alive'];

/** An answer of ours, as the bare server is to give it. */
function modelOf({ headers, body }: Answered, ticket: string): Model {
  const [before = '', after = ''] = body.split(ticket);
  const given = Object.entries(headers).filter(([name]) => !BY_NODE.includes(name));
  const keepAlive = Number(/timeout=(\d+)/.exec(String(headers['keep-alive']))?.[1] ?? 5) * 1_000;
  return {
    headers: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    before,
    after,
    ticketLength: ticket.length,
    keepAlive,
  };
}

/** All of an answer that is the same each time. */
function lasting({ status, headers, body }: Answered): string {
  return JSON.stringify({ ...headers, status, body, date: '', 'x-request-id': '' });
}

async function bareLike(ours: Server): Promise<Server> {
  const answer = await ask(ours.url + validationOf(0));
  if (answer.status !== 200) throw new Error(`a validation is answered ${answer.status}: ${answer.body}`);
  const bare = await startBare('answers.ts', JSON.stringify(modelOf(answer, ticketOf(0))));
  const [expected, given] = [ours, bare].map(({ url }) => ask(url + validationOf(1)).then(lasting));
  if ((await expected) === (await given)) return bare;
  await bare[Symbol.asyncDispose]();
  throw new Error(`the bare server answers otherwise: ${await given} and not ${await expected}`);
}

async function lineFor(bench: Bench, ours: Server, bare: Server, draw: Draw, from: string): Promise<Line> {
  const name = `validate, tickets drawn ${from}`;
  const measure = (server: Server, round: number, seconds = bench.seconds) =>
    load(server, { requests: validations(bench, draw, round), connections: CONNECTIONS, seconds });
  for (const server of [ours, bare]) await measure(server, bench.rounds, WARM_UP);
  const found: { ours: Measured[]; bare: Measured[] } = { ours: [], bare: [] };
  bench.say(name);
  const rounds = await interleave(
    bench.rounds,
    async (round) => kept(found.ours, await measure(ours, round)),
    async (round) => kept(found.bare, await measure(bare, round)),
  );
  const notes = [
    ...shareNotes('ours', found.ours),
    ...shareNotes('baseline', found.bare),
    ...byProcessorTime(found.ours, found.bare),
  ];
  return { name, unit: 'requests/s', rounds, aim: 0.35, notes };
}

/** Validations against a bare `node:http` server that answers the same bytes and headers. */
export const validate: Row = {
  name: 'validate',
  async measure(bench) {
    await using ours = await startTessera(await bench.dataFolder());
    await using bare = await bareLike(ours);
    const working = await lineFor(bench, ours, bare, zipf(bench.tickets, WORKING_SET), 'by Zipf from 10,000');
    const all = await lineFor(bench, ours, bare, uniform(bench.tickets), 'evenly from all');
    return [working, all];
  },
};
