import { compared } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { validationOf, validations } from '../load/request-files.ts';
import { type Aim, atLeast } from '../report/aim.ts';
import { type Draw, ticketOf, uniform, zipf } from '../seeding/draws.ts';
import { bareLike } from '../servers/bare-like.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import type { Bench, Line, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;

/** The levels of the log, each with its aim. */
const LEVELS: readonly { readonly level: string; readonly aim: Aim }[] = [
  { level: 'warn', aim: atLeast(0.95) },
  { level: 'info', aim: atLeast(0.8) },
];

async function atLevel(bench: Bench, level: string, aim: Aim): Promise<Line[]> {
  await using ours = await startTessera(await bench.dataFolder(), { TESSERA_LOG_LEVEL: level });
  const paths = [validationOf(0), validationOf(1)] as const;
  await using bare = await bareLike(ours, { paths, parts: [ticketOf(0), ticketOf(1)] });
  const side = (server: Server, draw: Draw) => (round: number, seconds: number) =>
    load(server, { requests: validations(bench, draw, round), connections: CONNECTIONS, seconds });
  const line = (draw: Draw, about: Pick<Line, 'name' | 'aim'>) =>
    compared(bench, about, side(ours, draw), side(bare, draw));
  const name = `validate, log at ${level}, drawn`;
  return [
    await line(zipf(bench.tickets, WORKING_SET), { name: `${name} by Zipf from 10,000`, aim }),
    await line(uniform(bench.tickets), { name: `${name} evenly from all` }),
  ];
}

/** Compares validations with a bare `node:http` server that sends the same bytes and headers. */
export const validate: Row = {
  name: 'validate',
  async measure(bench) {
    const lines: Line[] = [];
    for (const { level, aim } of LEVELS) lines.push(...(await atLevel(bench, level, aim)));
    return lines;
  },
};
