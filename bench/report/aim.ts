import { median, type Round, ratios } from './rounds.ts';

/** What the median of a line should be. */
export interface Aim {
  /** Of the ratios ours / baseline, or of the differences ours − baseline in the unit of the line. */
  readonly of: 'ratio' | 'difference';
  readonly bound: 'at least' | 'at most';
  readonly value: number;
}

/** Ours is to be at least this part of the baseline. */
export const atLeast = (value: number): Aim => ({ of: 'ratio', bound: 'at least', value });

/** Ours is to be at most so many times the baseline. */
export const atMostTimes = (value: number): Aim => ({ of: 'ratio', bound: 'at most', value });

/** Ours is to be at most so much more than the baseline. */
export const atMostMore = (value: number): Aim => ({ of: 'difference', bound: 'at most', value });

/** The median that the aim is about. */
function reached({ of }: Aim, rounds: readonly Round[]): number {
  if (of === 'ratio') return ratios(rounds).median;
  return median(rounds.map(({ ours, baseline }) => ours - baseline));
}

/** Whether the aim is met by these rounds. */
export function isMet(aim: Aim, rounds: readonly Round[]): boolean {
  const value = reached(aim, rounds);
  return aim.bound === 'at least' ? value >= aim.value : value <= aim.value;
}

/** The aim in a cell of the table; of a difference, what it is in these rounds as well. */
export function shownAim(aim: Aim, unit: string, rounds: readonly Round[]): string {
  const sign = aim.bound === 'at least' ? '≥' : '≤';
  if (aim.of === 'ratio') return `${sign} ${aim.value.toFixed(2)}`;
  const more = reached(aim, rounds);
  return `${sign} +${aim.value} ${unit} (${more < 0 ? '−' : '+'}${Math.abs(more).toFixed(0)})`;
}
