import { readFileSync, writeFileSync } from 'node:fs';
import { inCheckout } from '../servers/servers.ts';
import type { Machine } from './machine.ts';

/** A table with the text above and below it. */
export interface Page {
  readonly above: readonly string[];
  /** The first row is the heading. */
  readonly cells: readonly (readonly string[])[];
  readonly below: readonly string[];
  /** Details of this run, for the terminal only. */
  readonly notes?: readonly string[];
}

/** The line that says when and on which machine the figures were measured. */
export function measuredOn(at: Date, { cores, processor, memoryGiB, system, node, busy }: Machine): string {
  const load = `load average before: ${busy}${busy > cores / 2 ? ' (BUSY with other work)' : ''}`;
  return `${at.toISOString()}, ${cores} cores of ${processor}, ${memoryGiB} GiB, ${system}, Node ${node}; ${load}`;
}

/** The page for a terminal, with aligned columns. */
export function asText({ above, cells, below, notes = [] }: Page): string {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const rows = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...above, '', ...rows, '', ...below, ...notes, ''].join('\n');
}

/** The page in Markdown. */
export function asMarkdown({ above, cells: [head = [], ...rows], below }: Page): string {
  const line = (row: readonly string[]) =>
    `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const list = below.map((text) => `- ${text}`);
  const table = [line(head), line(head.map(() => '---')), ...rows.map(line)];
  return [above.join('\n\n'), '', ...table, '', ...list].join('\n').trimEnd();
}

/** The parts of pages of the documentation that programs write, with their page. */
const PAGES = {
  rows: 'performance',
  peers: 'performance',
  profile: 'performance',
  soak: 'performance',
  'soak-instances': 'faults',
} as const;

/** The parts of pages that programs write. */
export type Part = keyof typeof PAGES;

/** Replaces the text between the marks of a part. Throws when the page has no such marks. */
export function writePart(part: Part, text: string): void {
  const report = inCheckout(`docs/${PAGES[part]}.md`);
  const page = readFileSync(report, 'utf8');
  const [from, to] = [`<!-- ${part} -->`, `<!-- /${part} -->`];
  const [start, end] = [page.indexOf(from), page.indexOf(to)];
  if (start < 0 || end < start) throw new Error(`${report} has no marks ${from} and ${to}`);
  writeFileSync(report, `${page.slice(0, start + from.length)}\n\n${text.trim()}\n\n${page.slice(end)}`);
}
