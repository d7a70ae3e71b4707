import { join } from 'node:path';
import { bareLike } from '../like.ts';
import { compared } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { type Request, writeRequests } from '../load/requests.ts';
import { nodeId, nodePath, seedNodes } from '../nodes.ts';
import type { Bench, Line, Row } from '../row.ts';
import { type Server, startTessera } from '../servers.ts';
import { ticketOf, zipf } from '../tickets.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
const DRAWS = 100_000;
/** Nodes of the small store, to see how cost grows. */
const FEW = 1_000;

/** A way of asking for action definitions: the path for the document with this number. */
interface Scope {
  readonly name: string;
  readonly path: (number: number) => string;
  readonly aim?: number;
}

const NODE = '/api/node/workspace/SpacesStore/';
const PATH = '/api/path/workspace/SpacesStore/';
const holder = `alf_ticket=${ticketOf(0)}`;

const UNSCOPED: Scope = { name: 'unscoped', path: () => `/api/rules/actiondefs?${holder}`, aim: 0.35 };
const SCOPED: readonly Scope[] = [
  { name: 'by node', path: (number) => `${NODE}${nodeId(number)}/actiondefs?${holder}` },
  { name: 'by path', path: (number) => `${PATH}${nodePath(number)}/actiondefs?${holder}` },
];

function requestsFor({ folder }: Bench, scope: Scope, nodes: number, round: number): string {
  const draw = zipf(nodes, Math.min(nodes, WORKING_SET));
  const requests = Array.from({ length: DRAWS }, (_, at): Request => {
    return { method: 'GET', path: scope.path(draw(`round ${round}`, at)) };
  });
  return writeRequests(join(folder, 'definitions'), requests);
}

/** A server, and among how many nodes it is asked. */
interface Among {
  readonly server: Server;
  readonly nodes: number;
}

function compare(bench: Bench, scope: Scope, name: string, ours: Among, baseline: Among): Promise<Line> {
  const side =
    ({ server, nodes }: Among) =>
    (round: number, seconds: number) =>
      load(server, { requests: requestsFor(bench, scope, nodes, round), connections: CONNECTIONS, seconds });
  return compared(bench, { name, ...(scope.aim && { aim: scope.aim }) }, side(ours), side(baseline));
}

async function againstBare(bench: Bench, scope: Scope, ours: Among): Promise<Line> {
  const paths = [scope.path(0), scope.path(1)] as const;
  await using bare = await bareLike(ours.server, { paths, parts: ['', ''] });
  const name = `action definitions ${scope.name}, ${ours.nodes} nodes`;
  return await compare(bench, scope, name, ours, { server: bare, nodes: ours.nodes });
}

/** Action definitions against a bare server that answers the same bytes, and among many nodes against among few. */
export const definitions: Row = {
  name: 'definitions',
  async measure(bench) {
    const [manyFolder, fewFolder] = [await bench.dataFolder(), await bench.dataFolder()];
    bench.say(`seeding ${bench.tickets} nodes`);
    await seedNodes(manyFolder, bench.tickets);
    await seedNodes(fewFolder, FEW);
    await using many = await startTessera(manyFolder);
    await using few = await startTessera(fewFolder);
    const ours = { server: many, nodes: bench.tickets };
    const lines = [await againstBare(bench, UNSCOPED, ours)];
    for (const scope of SCOPED) {
      lines.push(await againstBare(bench, scope, ours));
      const name = `action definitions ${scope.name}, ${bench.tickets} nodes against ${FEW}`;
      lines.push(await compare(bench, scope, name, ours, { server: few, nodes: FEW }));
    }
    return lines;
  },
};
