import { kept, load, type Measured } from '../load/load.ts';
import { validationOf, validations } from '../load/request-files.ts';
import { shareNotes } from '../load/shares.ts';
import { atLeast } from '../report/aim.ts';
import { interleave, median } from '../report/rounds.ts';
import { ticketOf, zipf } from '../seeding/draws.ts';
import { bareLike } from '../servers/bare-like.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import type { Bench, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
const WARM_UP = 3;
const WORKERS = 2;

/** The results of one process and of several. */
interface Found {
  readonly one: Measured[];
  readonly several: Measured[];
}

const nothing = (): Found => ({ one: [], several: [] });

/** Measures the rate of several processes as a multiple of the rate of one. */
function gain(bench: Bench, one: Server, several: Server, found: Found) {
  return async (round: number, seconds = bench.seconds): Promise<number> => {
    const requests = validations(bench, zipf(bench.tickets, WORKING_SET), round);
    const plan = { requests, connections: CONNECTIONS, seconds };
    const alone = kept(found.one, await load(one, plan));
    return kept(found.several, await load(several, plan)) / alone;
  };
}

function notesOn(whose: string, { one, several }: Found): string[] {
  const rate = (measured: readonly Measured[]) =>
    Math.round(median(measured.map(({ perSecond }) => perSecond)));
  return [
    `${whose}: ${rate(one)} requests/s by one process, ${rate(several)} by ${WORKERS}`,
    ...shareNotes(`${whose}, ${WORKERS} workers`, several),
  ];
}

/** Compares the gain of two worker processes over one with the gain of two bare processes over one. */
export const workers: Row = {
  name: 'workers',
  async measure(bench) {
    const quiet = { TESSERA_LOG_LEVEL: 'warn' };
    const paths = [validationOf(0), validationOf(1)] as const;
    const samples = { paths, parts: [ticketOf(0), ticketOf(1)] } as const;
    await using one = await startTessera(await bench.dataFolder(), quiet);
    await using two = await startTessera(await bench.dataFolder(), {
      ...quiet,
      TESSERA_WORKERS: String(WORKERS),
    });
    await using bareOne = await bareLike(one, samples);
    await using bareTwo = await bareLike(one, samples, { workers: WORKERS });
    const [ours, bare] = [nothing(), nothing()];
    for (const [lone, several] of [
      [one, two],
      [bareOne, bareTwo],
    ] as const)
      await gain(bench, lone, several, nothing())(bench.rounds, WARM_UP);
    bench.say('workers');
    const rounds = await interleave(
      bench.rounds,
      gain(bench, one, two, ours),
      gain(bench, bareOne, bareTwo, bare),
    );
    const notes = [
      ...notesOn('ours', ours),
      ...notesOn('baseline', bare),
      'the load takes a core too: with two cores, two workers have one and a half at best, on either side',
    ];
    const name = `what ${WORKERS} workers gain over one, drawn by Zipf from 10,000`;
    return [{ name, unit: '×', rounds, aim: atLeast(0.9), notes }];
  },
};
