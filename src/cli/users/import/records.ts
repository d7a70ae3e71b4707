import { pipeline, Readable } from 'node:stream';
import { type CsvError, type Info, parse } from 'csv-parse';
import { Refused } from '../../failure.ts';
import { linesOf } from '../../nodes/lines.ts';
import { faultOfMember, MEMBER_NAMES } from './user-line.ts';

/** A line of the file: what it holds, or why it cannot be read. */
export type FileRecord =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly fault: string };

/** Characters of the longest line that is read. */
const LONGEST = 65_536;
const ANSWERS: Readonly<Record<string, boolean>> = { true: true, false: false };
const COLUMNS_OF_ANSWERS = ['administrator', 'disabled', 'enabled'];

/** The objects in a file with one on each line. `onBytes` is told how far it is read. */
export async function* recordsInNdjson(
  input: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<FileRecord> {
  for await (const line of linesOf(input, onBytes)) {
    if ('fault' in line) yield line;
    else if (line.text.trim() !== '') yield { number: line.number, ...parsed(line.text) };
  }
}

function parsed(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { fault: 'is not JSON' };
  }
}

async function* textOf(
  input: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let bytes = 0;
  try {
    for await (const chunk of input) {
      bytes += chunk.length;
      onBytes(bytes);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Refused(
      'The file is not UTF-8: convert it, such as with iconv -f latin1 -t utf-8, and import it again.',
    );
  }
}

function columnsIn(header: readonly string[]): string[] {
  const columns = header.map((column) => column.trim());
  const unknown = columns.find((column) => !MEMBER_NAMES.includes(column));
  if (unknown !== undefined)
    throw new Refused(`Refused: the first line, which names the columns, ${faultOfMember(unknown)}.`);
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) throw new Refused(`Refused: the first line names the column "${twice}" twice.`);
  return columns;
}

/** A cell as the object has it: empty ones are not given, and answers are no texts. */
function inCell(column: string, cell: string): unknown {
  if (cell === '') return undefined;
  return COLUMNS_OF_ANSWERS.includes(column) ? (ANSWERS[cell.toLowerCase()] ?? cell) : cell;
}

/** The rows of a CSV file (RFC 4180), whose first line names the columns. `onBytes` is told how far it is read. */
export async function* recordsInCsv(
  input: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<FileRecord> {
  const skipped: FileRecord[] = [];
  const parser = parse({
    bom: true,
    columns: columnsIn,
    info: true,
    max_record_size: LONGEST,
    on_skip: (error) =>
      void skipped.push({
        number: lineOf(error),
        fault: 'has not as many cells as the first line, or quotes that do not match',
      }),
    skip_empty_lines: true,
    skip_records_with_error: true,
  });
  pipeline(Readable.from(textOf(input, onBytes)), parser, () => undefined);
  for await (const { info, record } of parser as AsyncIterable<{
    info: Info;
    record: Record<string, string>;
  }>) {
    yield* skipped.splice(0);
    const cells = Object.entries(record).map(([column, cell]) => [column, inCell(column, cell)]);
    yield { number: info.lines, value: Object.fromEntries(cells) };
  }
  yield* skipped;
}

const lineOf = (error: CsvError | undefined) => Number(error?.lines ?? 0);
