import { compared } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { validationOf, validations } from '../load/request-files.ts';
import { ticketOf, zipf } from '../seeding/draws.ts';
import { bareLike } from '../servers/bare-like.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import type { Line, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
const DRAWN = `drawn by Zipf from ${WORKING_SET.toLocaleString('en')}`;

/**
 * Measures the least work of a validation: a bare `node:http` server that digests the ticket and finds it in a `Map`, without
 * routes, users, log, metrics and disk. Compares it with a server that always answers, and Tessera with it.
 */
export const least: Row = {
  name: 'least',
  async measure(bench) {
    await using ours = await startTessera(await bench.dataFolder(), { TESSERA_LOG_LEVEL: 'warn' });
    const samples = {
      paths: [validationOf(0), validationOf(1)],
      parts: [ticketOf(0), ticketOf(1)],
    } as const;
    await using bare = await bareLike(ours, samples);
    await using looking = await bareLike(ours, samples, { tickets: bench.tickets });
    const side = (server: Server) => (round: number, seconds: number) => {
      const requests = validations(bench, zipf(bench.tickets, WORKING_SET), round);
      return load(server, { requests, connections: CONNECTIONS, seconds });
    };
    const line = (name: string, server: Server, baseline: Server): Promise<Line> =>
      compared(bench, { name }, side(server), side(baseline));
    return [
      await line(`a bare digest and look-up, no more, against none, ${DRAWN}`, looking, bare),
      await line(`validate, log at warn, against a bare digest and look-up, ${DRAWN}`, ours, looking),
    ];
  },
};
