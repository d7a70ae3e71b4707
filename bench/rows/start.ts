import { atMostMore } from '../report/aim.ts';
import { interleave } from '../report/rounds.ts';
import { ask, type Server, startBare, startTessera } from '../servers/servers.ts';
import type { Row } from './row.ts';

/** Milliseconds from the start of the process to the end of its first answer. */
async function untilAnswer(starting: () => Promise<Server>, path: string): Promise<number> {
  const began = performance.now();
  await using server = await starting();
  const { status } = await ask(server.url + path);
  const took = performance.now() - began;
  if (status !== 200) throw new Error(`the first answer is ${status}`);
  return took;
}

/** Compares the time until the first answer, with all tickets on disk, with a bare process. */
export const start: Row = {
  name: 'start',
  async measure(bench) {
    const data = await bench.dataFolder();
    const ours = () => untilAnswer(() => startTessera(data), '/api/server');
    const baseline = () => untilAnswer(() => startBare('idle.js'), '/');
    await ours();
    await baseline();
    bench.say('start');
    const rounds = await interleave(bench.rounds, ours, baseline);
    return [
      { name: 'start to first answer', unit: 'ms', rounds, aim: atMostMore(350), notes: ['lower is better'] },
    ];
  },
};
