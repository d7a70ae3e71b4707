import { setTimeout as pause } from 'node:timers/promises';
import { atMostMore } from '../report/aim.ts';
import { interleave } from '../report/rounds.ts';
import { residentMiB } from '../servers/processes.ts';
import { ask, type Server, startBare, startTessera } from '../servers/servers.ts';
import type { Line, Row } from './row.ts';

/** The number of tickets in a store that counts as empty. */
const FEW = 10;

/** Resident memory of a process that answered once and was then idle. */
async function idleMiB(starting: () => Promise<Server>, path: string, seconds: number): Promise<number> {
  await using server = await starting();
  await ask(server.url + path);
  await pause(seconds * 1_000);
  return residentMiB(server.pid);
}

/** Compares the memory of the idle service, without and with all tickets on disk, with a bare process. */
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
