import { median, ratios } from '../report/rounds.ts';
import type { Measured } from './load.ts';

/** With this share of a core, the load generator limits the rate. */
const FULL = 0.9;

/** Whether the load generator, and not the server, limited the rate. */
function isLimitedByLoad({ loadShare, serverShare }: Measured): boolean {
  if (loadShare === undefined || serverShare === undefined) return false;
  return loadShare >= FULL || loadShare > serverShare;
}

/** The microseconds of processor time that a server took for each request. Throws on systems without `/proc`. */
export function processorMicroseconds({ perSecond, serverShare }: Measured): number {
  if (serverShare === undefined) throw new Error('this system does not tell the processor time of a process');
  return (serverShare / perSecond) * 1_000_000;
}

function percent(shares: readonly (number | undefined)[]): string {
  const known = shares.filter((share) => share !== undefined);
  return known.length === 0 ? 'an unknown part' : `${Math.round(median(known) * 100)} %`;
}

/** Notes on the processor time of server and load on one side, named `whose`. */
export function shareNotes(whose: string, measured: readonly Measured[]): string[] {
  const server = percent(measured.map(({ serverShare }) => serverShare));
  const load = percent(measured.map(({ loadShare }) => loadShare));
  const limited = measured.filter(isLimitedByLoad).length;
  const notes = [`${whose}: the server took ${server} of a core, the load ${load} of another`];
  if (limited > 0)
    notes.push(`${whose}: THE LOAD WAS THE BOTTLENECK in ${limited} of ${measured.length} rounds`);
  return notes;
}

/**
 * A note with the ratio of requests for each second of the servers' processor time, which other work on the machine changes
 * least. Empty on systems without `/proc`.
 */
export function byProcessorTime(ours: readonly Measured[], baseline: readonly Measured[]): string[] {
  const rounds = ours.flatMap((our, round) => {
    const other = baseline[round];
    if (our.serverShare === undefined || other?.serverShare === undefined) return [];
    return [{ ours: our.perSecond / our.serverShare, baseline: other.perSecond / other.serverShare }];
  });
  if (rounds.length === 0) return [];
  const ratio = ratios(rounds);
  const [middle, from, to] = [ratio.median, ratio.least, ratio.most].map((value) => value.toFixed(2));
  return [`by the processor time that the servers themselves took, the ratio is ${middle} (${from}–${to})`];
}
