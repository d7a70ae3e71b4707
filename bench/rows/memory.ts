import { setTimeout as pause } from 'node:timers/promises';
import { residentMiB } from '../processes.ts';
import { interleave } from '../rounds.ts';
import type { Row } from '../row.ts';
import { ask, type Server, startBare, startTessera } from '../servers.ts';

/** Resident memory of a process that has answered once and then idled for so long. */
async function idleMiB(starting: () => Promise<Server>, path: string, seconds: number): Promise<number> {
  await using server = await starting();
  await ask(server.url + path);
  await pause(seconds * 1_000);
  return residentMiB(server.pid);
}

/** What the service holds in memory when idle, with all tickets on disk, against a bare process. */
export const memory: Row = {
  name: 'memory',
  async measure(bench) {
    const data = await bench.dataFolder();
    bench.say('memory');
    const rounds = await interleave(
      bench.rounds,
      () => idleMiB(() => startTessera(data), '/api/server', bench.seconds),
      () => idleMiB(() => startBare('idle.js'), '/', bench.seconds),
    );
    return [{ name: 'idle memory (RSS)', unit: 'MiB', rounds, notes: ['lower is better'] }];
  },
};
