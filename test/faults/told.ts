import type { Book } from './book.ts';
import type { Memory } from './fleet.ts';

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;

/** What a scenario came to, in one line. `recoveries` are milliseconds. */
export function told(book: Book, undecided: number, recoveries: readonly number[]): string {
  const { logins, logouts, answers, later, cut, unanswered, wrong, gap, writeGap } = book;
  return [
    `acknowledged ${logins + logouts} (${logins} logins, ${logouts} logouts)`,
    `wrong answers ${wrong.length} of ${answers + later + wrong.length}`,
    `tickets of which an instance says nothing ${undecided}`,
    `put off (503 with Retry-After) ${later}`,
    `not answered ${unanswered}, cut with a killed instance ${cut}`,
    `longest gap ${seconds(gap.longest)} (writes ${seconds(writeGap.longest)})`,
    `recovered ${recoveries.map(seconds).join(', ')} after the engine`,
  ].join('; ');
}

/** What the instances held in memory. */
export function memoryTold(before: readonly number[], after: readonly Memory[]): string {
  const each = after.map(({ now, most }, index) => `${before[index]} → ${now} (most ${most})`);
  return `MiB in memory before and after: ${each.join(', ')}`;
}
