import { readFileSync, writeFileSync } from 'node:fs';
import { inCheckout } from './servers.ts';

/** The page of the documentation that figures are written into. */
export const REPORT = inCheckout('docs/performance.md');

/** The parts of that page that are written by programs. */
export type Part = 'rows' | 'peers' | 'profile' | 'soak';

/** Puts a text in the place of what stands between the marks of a part. Throws when the page has no such marks. */
export function writePart(part: Part, text: string): void {
  const page = readFileSync(REPORT, 'utf8');
  const [from, to] = [`<!-- ${part} -->`, `<!-- /${part} -->`];
  const [start, end] = [page.indexOf(from), page.indexOf(to)];
  if (start < 0 || end < start) throw new Error(`${REPORT} has no marks ${from} and ${to}`);
  writeFileSync(REPORT, `${page.slice(0, start + from.length)}\n\n${text.trim()}\n\n${page.slice(end)}`);
}
