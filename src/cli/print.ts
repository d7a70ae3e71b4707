import type { Terminal } from './context.ts';

/** One thing in a list: what its columns hold, by their heading. */
export type Row = Readonly<Record<string, string | number | boolean | undefined>>;

const shown = (value: Row[string]) => (value === undefined ? '' : String(value));

function line(cells: readonly string[], widths: readonly number[]): string {
  return `${cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd()}\n`;
}

/**
 * Prints a list that comes page by page: as a table whose columns are as wide as the first page needs, or as a
 * JSON array. An empty one has its headings.
 */
export async function printList(
  { stdout }: Terminal,
  headings: readonly string[],
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  asJson: boolean,
): Promise<void> {
  let widths: number[] | undefined;
  let first = true;
  for await (const page of pages) {
    if (asJson) {
      for (const row of page) {
        stdout.write(`${first ? '[\n' : ',\n'}  ${JSON.stringify(row)}`);
        first = false;
      }
      continue;
    }
    const cells = page.map((row) => headings.map((heading) => shown(row[heading])));
    if (widths === undefined) {
      widths = headings.map((heading, column) =>
        cells.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), heading.length),
      );
      stdout.write(
        line(
          headings.map((heading) => heading.toUpperCase()),
          widths,
        ),
      );
    }
    for (const row of cells) stdout.write(line(row, widths));
  }
  if (asJson) stdout.write(first ? '[]\n' : '\n]\n');
  else if (widths === undefined)
    stdout.write(
      line(
        headings.map((heading) => heading.toUpperCase()),
        [],
      ),
    );
}

/** A time as lists show it. */
export function time(at: number): string {
  return new Date(at).toISOString();
}
