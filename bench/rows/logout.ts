import { join } from 'node:path';
import { compared } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { validationOf, validations } from '../load/request-files.ts';
import { type Request, writeRequests } from '../load/requests.ts';
import { zipf } from '../seeding/draws.ts';
import { startTessera } from '../servers/servers.ts';
import type { Bench, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;

/** Writes a file of log-outs. Every round, and the warm-up, has tickets of its own, because a ticket ends once. */
function logouts({ folder, rounds }: Bench, tickets: number, round: number): string {
  const share = Math.floor(tickets / (rounds + 1));
  const requests = Array.from({ length: share }, (_, at): Request => {
    return { method: 'DELETE', path: validationOf(round * share + at) };
  });
  return writeRequests(join(folder, 'logouts'), requests);
}

/** Compares log-outs, which share a commit when they arrive together, with validations at the same server. */
export const logout: Row = {
  name: 'logout',
  async measure(bench) {
    await using ours = await startTessera(await bench.dataFolder(), { TESSERA_LOG_LEVEL: 'warn' });
    const ask = (requests: string, seconds: number) =>
      load(ours, { requests, connections: CONNECTIONS, seconds });
    const half = Math.floor(bench.tickets / 2);
    const others = zipf(bench.tickets - half, WORKING_SET);
    const line = await compared(
      bench,
      { name: 'log out against validate by alf_ticket' },
      (round, seconds) => ask(logouts(bench, half, round), seconds),
      (round, seconds) =>
        ask(
          validations(bench, (seed, at) => half + others(seed, at), round),
          seconds,
        ),
    );
    const notes = ['log-outs end one half of the tickets, each once; validations are of the other half'];
    return [{ ...line, notes: [...notes, ...line.notes] }];
  },
};
