import { counted, isSteady } from '../load/load.ts';
import { pacedLoad } from '../load/paced.ts';
import { loginFiles, validations } from '../load/request-files.ts';
import { tool } from '../load/tool.ts';
import { atMostTimes } from '../report/aim.ts';
import { interleave, median } from '../report/rounds.ts';
import { zipf } from '../seeding/draws.ts';
import { startTessera } from '../servers/servers.ts';
import type { Row } from './row.ts';

const RATE = 1_000;
const CONNECTIONS = 16;
const STORM_CONNECTIONS = 32;
const WORKING_SET = 10_000;
/** Seconds that a storm may last longer than the measurement. It ends with the measurement. */
const AROUND = 30;

/** Runs `work` while users log in as fast as they can. Returns its result and the logins a second. */
async function inStorm<T>(
  url: string,
  requests: string,
  seconds: number,
  work: () => Promise<T>,
): Promise<{ found: T; logins: number }> {
  const plan = { url, requests, connections: STORM_CONNECTIONS, seconds };
  await using child = tool.start(plan);
  const count = counted(child, plan);
  let raging = true;
  const over = () => {
    raging = false;
  };
  count.then(over, over);
  await isSteady(child);
  const found = await work();
  if (!raging) throw new Error('the storm was over before the measurement');
  child.interrupt();
  const { answered, seconds: length } = await count;
  return { found, logins: answered / length };
}

/** Compares the times of validations while users log in as fast as they can with the times without logins. */
export const storm: Row = {
  name: 'storm',
  async measure(bench) {
    const { rounds, seconds, tickets } = bench;
    await using ours = await startTessera(await bench.dataFolder());
    const requests = validations(bench, zipf(tickets, WORKING_SET), 0);
    const files = loginFiles(bench);
    const rates: number[] = [];
    const quiet = async () =>
      (await pacedLoad(ours, { requests, connections: CONNECTIONS, seconds, rate: RATE })).p99;
    const stormy = async (round: number) => {
      const { found, logins } = await inStorm(ours.url, files(round), seconds + AROUND, quiet);
      rates.push(logins);
      return found;
    };
    await quiet();
    bench.say('storm');
    const found = await interleave(rounds, stormy, quiet);
    const notes = [
      `${RATE} validations a second on ${CONNECTIONS} connections, lower is better`,
      'they come from a Node process on the same cores, whose own waits count',
      `ours with ${Math.round(median(rates))} logins a second beside them, the baseline without`,
    ];
    const name = 'p99 of validate in a login storm, drawn by Zipf from 10,000';
    return [{ name, unit: 'ms', rounds: found, aim: atMostTimes(6), notes }];
  },
};
