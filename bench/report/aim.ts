import { median, type Round, ratios } from './rounds.ts';

/** A bound for the median of a line. */
export interface Aim {
  /** The ratio ours / baseline, or the difference ours − baseline in the unit of the line. */
  readonly of: 'ratio' | 'difference';
  readonly bound: 'at least' | 'at most';
  readonly value: number;
}

/** At least this ratio to the baseline. */
export const atLeast = (value: number): Aim => ({ of: 'ratio', bound: 'at least', value });

/** At most this ratio to the baseline. */
export const atMostTimes = (value: number): Aim => ({ of: 'ratio', bound: 'at most', value });

/** At most this difference to the baseline. */
export const atMostMore = (value: number): Aim => ({ of: 'difference', bound: 'at most', value });

/** The median that the aim bounds. */
function reached({ of }: Aim, rounds: readonly Round[]): number {
  if (of === 'ratio') return ratios(rounds).median;
  return median(rounds.map(({ ours, baseline }) => ours - baseline));
}

/** Whether these rounds meet the aim. */
export function isMet(aim: Aim, rounds: readonly Round[]): boolean {
  const value = reached(aim, rounds);
  return aim.bound === 'at least' ? value >= aim.value : value <= aim.value;
}

/** The aim as text for the table; a difference comes with its value in these rounds. */
export function shownAim(aim: Aim, unit: string, rounds: readonly Round[]): string {
  const sign = aim.bound === 'at least' ? '≥' : '≤';
  if (aim.of === 'ratio') return `${sign} ${aim.value.toFixed(2)}`;
  const more = reached(aim, rounds);
  return `${sign} +${aim.value} ${unit} (${more < 0 ? '−' : '+'}${Math.abs(more).toFixed(0)})`;
}
