import { bareLike } from '../like.ts';
import { compared } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { validationOf, validations } from '../load/validations.ts';
import type { Bench, Line, Row } from '../row.ts';
import { type Server, startTessera } from '../servers.ts';
import { type Draw, ticketOf, uniform, zipf } from '../tickets.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
const AIM = 0.35;

function lineFor(bench: Bench, ours: Server, bare: Server, draw: Draw, from: string): Promise<Line> {
  const side = (server: Server) => (round: number, seconds: number) =>
    load(server, { requests: validations(bench, draw, round), connections: CONNECTIONS, seconds });
  return compared(bench, { name: `validate, tickets drawn ${from}`, aim: AIM }, side(ours), side(bare));
}

/** Validations against a bare `node:http` server that answers the same bytes and headers. */
export const validate: Row = {
  name: 'validate',
  async measure(bench) {
    await using ours = await startTessera(await bench.dataFolder());
    const paths = [validationOf(0), validationOf(1)] as const;
    await using bare = await bareLike(ours, { paths, parts: [ticketOf(0), ticketOf(1)] });
    const working = await lineFor(bench, ours, bare, zipf(bench.tickets, WORKING_SET), 'by Zipf from 10,000');
    const all = await lineFor(bench, ours, bare, uniform(bench.tickets), 'evenly from all');
    return [working, all];
  },
};
