import { setTimeout as pause } from 'node:timers/promises';

/** The values of one round in the unit of its line. */
export interface Round {
  readonly ours: number;
  readonly baseline: number;
}

/** Milliseconds in which work of the previous load ends, such as queued hashes and closing connections. */
const SETTLE = 500;

/** The order of a round. Every other round has the reverse order. */
export function inTurn<T>(all: Iterable<T>, round: number): T[] {
  return round % 2 === 0 ? [...all] : [...all].reverse();
}

/**
 * Measures ours and the baseline in turn, so that other work on the machine slows both. The side that goes first in a round
 * goes second in the next.
 */
export async function interleave(
  rounds: number,
  ours: (round: number) => Promise<number>,
  baseline: (round: number) => Promise<number>,
): Promise<Round[]> {
  const sides = [['ours', ours] as const, ['baseline', baseline] as const];
  const found: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const measured = { ours: 0, baseline: 0 };
    for (const [name, measure] of inTurn(sides, round)) {
      await pause(SETTLE);
      measured[name] = await measure(round);
    }
    found.push(measured);
  }
  return found;
}

/** The median. Throws when there are no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [lower, upper] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (lower === undefined || upper === undefined) throw new Error('nothing was measured');
  return (lower + upper) / 2;
}

/** The median, the least and the most of the ratios ours / baseline of each round. */
export function ratios(rounds: readonly Round[]): { median: number; least: number; most: number } {
  const all = rounds.map(({ ours, baseline }) => ours / baseline);
  return { median: median(all), least: Math.min(...all), most: Math.max(...all) };
}
