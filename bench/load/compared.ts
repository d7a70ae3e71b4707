import { interleave } from '../report/rounds.ts';
import type { Bench, Line } from '../rows/row.ts';
import { kept, type Measured } from './load.ts';
import { byProcessorTime, shareNotes } from './shares.ts';

/** Seconds of load before the measurement. */
const WARM_UP = 3;

/** Loads one side. Each round has requests of its own. */
export type Side = (round: number, seconds: number) => Promise<Measured>;

/** Warms up both sides, measures them in turn, and returns the line of the table. */
export async function compared(
  bench: Bench,
  { name, aim }: Pick<Line, 'name' | 'aim'>,
  ours: Side,
  baseline: Side,
): Promise<Line> {
  for (const side of [ours, baseline]) await side(bench.rounds, WARM_UP);
  const found: { ours: Measured[]; baseline: Measured[] } = { ours: [], baseline: [] };
  bench.say(name);
  const rounds = await interleave(
    bench.rounds,
    async (round) => kept(found.ours, await ours(round, bench.seconds)),
    async (round) => kept(found.baseline, await baseline(round, bench.seconds)),
  );
  const notes = [
    ...shareNotes('ours', found.ours),
    ...shareNotes('baseline', found.baseline),
    ...byProcessorTime(found.ours, found.baseline),
  ];
  return { name, unit: 'requests/s', rounds, notes, ...(aim && { aim }) };
}
