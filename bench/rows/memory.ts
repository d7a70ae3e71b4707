import { setTimeout as pause } from 'node:timers/promises';
import { atMostMore } from '../report/aim.ts';
import { interleave } from '../report/rounds.ts';
import { residentMiB } from '../servers/processes.ts';
import { ask, type Server, startBare, startTessera } from '../servers/servers.ts';
import type { Line, Row } from './row.ts';

/** Tickets in a store that counts as empty. */
const FEW = 10;

/** Resident memory of a process that has answered once and then idled for so long. */
async function idleMiB(starting: () => Promise<Server>, path: string, seconds: number): Promise<number> {
  await using server = await starting();
  await ask(server.url + path);
  await pause(seconds * 1_000);
  return residentMiB(server.pid);
}

/** What the service holds in memory when idle, empty and with all tickets on disk, against a bare process. */
export const memory: Row = {
  name: 'memory',
  async measure(bench) {
    const line = async (name: string, data: string, more: number): Promise<Line> => {
      bench.say(name);
      const rounds = await interleave(
        bench.rounds,
        () => idleMiB(() => startTessera(data), '/api/server', bench.seconds),
        () => idleMiB(() => startBare('idle.js'), '/', bench.seconds),
      );
      return { name, unit: 'MiB', rounds, aim: atMostMore(more), notes: ['lower is better'] };
    };
    return [
      await line('idle memory (RSS)', await bench.dataFolder(FEW), 60),
      await line(`idle memory with ${bench.tickets} live tickets`, await bench.dataFolder(), 90),
    ];
  },
};
