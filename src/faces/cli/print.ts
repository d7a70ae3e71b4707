import { visible } from '../../core/visible.ts';
import type { Terminal } from './terminal.ts';

/** One row of a list: its values, by the heading of their column. */
export type PrintedRow = Readonly<Record<string, string | number | boolean | undefined>>;

type Pages = AsyncIterable<readonly PrintedRow[]> | Iterable<readonly PrintedRow[]>;

/** `display name` for `displayName`. */
const inWords = (name: string) =>
  name.replace(/(?<=[a-z])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`);

const cellText = (value: PrintedRow[string]) => (value === undefined ? '' : visible(String(value)));

function line(cells: readonly string[], widths: readonly number[]): string {
  return `${cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd()}\n`;
}

async function* inTable(headings: readonly string[], pages: Pages): AsyncGenerator<string> {
  const head = headings.map((heading) => inWords(heading).toUpperCase());
  let widths: number[] | undefined;
  for await (const page of pages) {
    const cells = page.map((row) => headings.map((heading) => cellText(row[heading])));
    if (widths === undefined) {
      widths = headings.map((heading, column) =>
        cells.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), inWords(heading).length),
      );
      yield line(head, widths);
    }
    for (const row of cells) yield line(row, widths);
  }
  if (widths === undefined) yield line(head, []);
}

async function* inJson(pages: Pages): AsyncGenerator<string> {
  let first = true;
  for await (const page of pages) {
    for (const row of page) {
      yield `${first ? '[\n' : ',\n'}  ${visible(JSON.stringify(row))}`;
      first = false;
    }
  }
  yield first ? '[]\n' : '\n]\n';
}

/** Pages of a list, as rows to print. Pages without items are left out, since the first row sets the widths of the columns. */
export async function* rowsOf<T>(
  pages: AsyncIterable<readonly T[]>,
  rowOf: (item: T) => PrintedRow,
): AsyncGenerator<PrintedRow[]> {
  for await (const page of pages) if (page.length > 0) yield page.map(rowOf);
}

/** Prints a text. Resolves when it is written, to whether somebody still reads. */
export function print({ stdout }: Terminal, text: string): Promise<boolean> {
  return new Promise((resolve) => stdout.write(text, (error) => resolve(!error)));
}

/**
 * Prints a list that arrives in pages, as a table or as a JSON array. The first page sets the widths of the columns. An
 * empty list has only its headings. It stops asking for pages once the reader has gone.
 */
export async function printList(
  terminal: Terminal,
  headings: readonly string[],
  pages: Pages,
  asJson: boolean,
): Promise<void> {
  for await (const text of asJson ? inJson(pages) : inTable(headings, pages))
    if (!(await print(terminal, text))) return;
}

/** The fields of one thing, by name. A list is shown on one line. */
type Details = Readonly<Record<string, PrintedRow[string] | readonly string[]>>;

/** Prints the fields of one thing: a line for each name that has a value, or a JSON object. */
export async function printDetails(terminal: Terminal, details: Details, asJson: boolean): Promise<void> {
  const text = (value: Details[string]) => (Array.isArray(value) ? value.join(', ') : String(value ?? ''));
  const lines = Object.entries(details)
    .map(([name, value]) => [inWords(name), visible(text(value))] as const)
    .filter(([, value]) => value !== '');
  const width = Math.max(...lines.map(([name]) => name.length));
  const table = lines.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('');
  await print(terminal, asJson ? `${visible(JSON.stringify(details))}\n` : table);
}
