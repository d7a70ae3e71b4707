import { join } from 'node:path';
import { compared } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { type Request, writeRequests } from '../load/requests.ts';
import { type Aim, atLeast } from '../report/aim.ts';
import { type Draw, ticketOf, uniform, zipf } from '../seeding/draws.ts';
import { nodeId, nodePath, seedNodes } from '../seeding/nodes.ts';
import { bareLike } from '../servers/bare-like.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import type { Bench, Line, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
const DRAWS = 100_000;
/** The number of nodes in the small store. */
const FEW = 1_000;

/** A way to ask for action definitions, with the path for the document with this number. */
interface Scope {
  readonly name: string;
  readonly path: (number: number) => string;
  readonly aim: Aim;
}

const QUIET = { TESSERA_LOG_LEVEL: 'warn' };
const NODE = '/api/node/workspace/SpacesStore/';
const PATH = '/api/path/workspace/SpacesStore/';
const holder = `alf_ticket=${ticketOf(0)}`;

const UNSCOPED: Scope = {
  name: 'unscoped',
  path: () => `/api/rules/actiondefs?${holder}`,
  aim: atLeast(0.85),
};
const SCOPED: readonly Scope[] = [
  { name: 'by node', path: (number) => `${NODE}${nodeId(number)}/actiondefs?${holder}`, aim: atLeast(0.7) },
  { name: 'by path', path: (number) => `${PATH}${nodePath(number)}/actiondefs?${holder}`, aim: atLeast(0.6) },
];

function requestsFor({ folder }: Bench, scope: Scope, draw: Draw, round: number): string {
  const requests = Array.from({ length: DRAWS }, (_, at): Request => {
    return { method: 'GET', path: scope.path(draw(`round ${round}`, at)) };
  });
  return writeRequests(join(folder, 'definitions'), requests);
}

/** A server with a draw of its nodes. */
interface Asked {
  readonly server: Server;
  readonly draw: Draw;
}

const working = (nodes: number) => zipf(nodes, WORKING_SET);

function compare(
  bench: Bench,
  scope: Scope,
  about: Pick<Line, 'name' | 'aim'>,
  ours: Asked,
  baseline: Asked,
): Promise<Line> {
  const side =
    ({ server, draw }: Asked) =>
    (round: number, seconds: number) =>
      load(server, { requests: requestsFor(bench, scope, draw, round), connections: CONNECTIONS, seconds });
  return compared(bench, about, side(ours), side(baseline));
}

/** A line with an aim for the working set and, for scoped requests, a line without an aim for all nodes. */
async function againstBare(bench: Bench, scope: Scope, server: Server): Promise<Line[]> {
  const paths = [scope.path(0), scope.path(1)] as const;
  await using bare = await bareLike(server, { paths, parts: ['', ''] });
  const line = (about: Pick<Line, 'name' | 'aim'>, draw: Draw) =>
    compare(bench, scope, about, { server, draw }, { server: bare, draw });
  const name = `action definitions ${scope.name}, ${bench.tickets} nodes`;
  if (scope === UNSCOPED) return [await line({ name, aim: scope.aim }, working(bench.tickets))];
  return [
    await line({ name: `${name}, drawn by Zipf from 10,000`, aim: scope.aim }, working(bench.tickets)),
    await line({ name: `${name}, drawn evenly from all` }, uniform(bench.tickets)),
  ];
}

/** Compares action definitions with a bare server that sends the same bytes, and a store of many nodes with one of few. */
export const definitions: Row = {
  name: 'definitions',
  async measure(bench) {
    const [manyFolder, fewFolder] = [await bench.dataFolder(), await bench.dataFolder()];
    bench.say(`seeding ${bench.tickets} nodes`);
    await seedNodes(manyFolder, bench.tickets);
    await seedNodes(fewFolder, FEW);
    await using many = await startTessera(manyFolder, QUIET);
    await using few = await startTessera(fewFolder, QUIET);
    const lines = await againstBare(bench, UNSCOPED, many);
    for (const scope of SCOPED) {
      lines.push(...(await againstBare(bench, scope, many)));
      const name = `action definitions ${scope.name}, ${bench.tickets} nodes against ${FEW}`;
      const [ours, baseline] = [
        { server: many, draw: working(bench.tickets) },
        { server: few, draw: working(FEW) },
      ];
      lines.push(await compare(bench, scope, { name }, ours, baseline));
    }
    return lines;
  },
};
