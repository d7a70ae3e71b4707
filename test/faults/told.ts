import type { Book } from './book.ts';
import type { Findings } from './check.ts';
import type { Memory } from './fleet.ts';

/** What a scenario came to. */
export interface Figures {
  readonly book: Book;
  readonly findings: Findings;
  readonly recoveries: readonly number[];
  /** Logouts that nobody knows the outcome of. */
  readonly unknown: number;
}

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;

/** One line of figures. */
export function told({ book, findings, recoveries, unknown }: Figures): string {
  const { logins, logouts, right, later, cut, unanswered, stale, wrong, gap, writeGap } = book;
  return [
    `acknowledged ${logins + logouts} (${logins} logins, ${logouts} logouts)`,
    `lost ${findings.lost}`,
    `wrong answers ${wrong.length} of ${right + later + wrong.length}`,
    ...(stale > 0 ? [`stale inside the fail-over window ${stale}`] : []),
    `put off (503 with Retry-After) ${later}`,
    `not answered ${unanswered}, cut with a killed instance ${cut}`,
    `logouts of unknown outcome ${unknown}`,
    `longest gap ${seconds(gap.longest)} (writes ${seconds(writeGap.longest)})`,
    `recovered ${recoveries.map(seconds).join(', ')} after the engine`,
  ].join('; ');
}

/** What the instances held in memory. */
export function memoryTold(before: readonly number[], after: readonly Memory[]): string {
  const each = after.map(({ now, most }, index) => `${before[index]} → ${now} (most ${most})`);
  return `MiB in memory before and after: ${each.join(', ')}`;
}
