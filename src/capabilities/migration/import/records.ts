import { pipeline, Readable } from 'node:stream';
import { type Info, type Parser, parse } from 'csv-parse';
import { MemberTwice, strictJson } from '../../../core/strict-json.ts';
import { CommandRefused } from '../../../faces/cli/failure.ts';
import { linesOf } from '../../../faces/cli/lines.ts';
import { faultOfMember, isAnswer, isKnownMember, MEMBER_NAMES } from './user-line.ts';

/** A line of the file: its object, or why it cannot be read. */
export type FileRecord =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly fault: string };

/** Most characters of a line. */
const LONGEST = 65_536;
const ANSWERS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** The objects in a file with one on each line. `onBytes` gets the number of bytes that are read. */
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
    return { value: strictJson(text) };
  } catch (fault) {
    return {
      fault: fault instanceof MemberTwice ? 'has a member twice, with different values' : 'is not JSON',
    };
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
    throw new CommandRefused(
      'The file is not UTF-8: convert it, such as with iconv -f latin1 -t utf-8, and import it again.',
    );
  }
}

function columnsIn(header: readonly string[]): string[] {
  const columns = header.map((column) => column.trim());
  if (!columns.some((column) => column === 'group' || MEMBER_NAMES.includes(column)))
    throw new CommandRefused(
      'Refused: the first line names no columns that users have: write a line such as name,passwordHash above it.',
    );
  const unknown = columns.find((column) => !isKnownMember(column));
  if (unknown !== undefined)
    throw new CommandRefused(`Refused: the first line, which names the columns, ${faultOfMember(unknown)}.`);
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined)
    throw new CommandRefused(`Refused: the first line names the column "${twice}" twice.`);
  return columns;
}

/** The value of a cell. An empty cell is not given; a yes-or-no column becomes true or false. */
function inCell(column: string, cell: string): unknown {
  if (cell === '') return undefined;
  return isAnswer(column) ? (ANSWERS[cell.toLowerCase()] ?? cell) : cell;
}

/** Faults of a single row. After any other fault the start of the next row is not known. */
const OF_ONE_ROW = new Set<string>(['CSV_RECORD_INCONSISTENT_COLUMNS', 'INVALID_OPENING_QUOTE']);

/** A row. After one with `isLast` the file is not read further. */
type CsvRow = FileRecord & { readonly isLast?: true };

/** A parser that gives good and bad rows in their order, each with the line that it begins in. */
function csvParser(): Parser {
  let ended: Pick<Info, 'lines' | 'empty_lines'> = { lines: 0, empty_lines: 0 };
  const rowEnds = (): number => {
    const behind = ended.lines + 1 + parser.info.empty_lines - ended.empty_lines;
    ended = { ...parser.info };
    // A row that was already returned can have another fault on its line.
    return Math.min(behind, ended.lines);
  };
  const parser: Parser = parse({
    bom: true,
    columns: (header: readonly string[]) => {
      rowEnds();
      return columnsIn(header);
    },
    max_record_size: LONGEST,
    on_record: (cells: Readonly<Record<string, string>>): CsvRow => {
      const members = Object.entries(cells).map(([column, cell]) => [column, inCell(column, cell)]);
      return { number: rowEnds(), value: Object.fromEntries(members) };
    },
    on_skip: (error) => {
      const isOfOneRow = OF_ONE_ROW.has(error?.code ?? '');
      // A row with several faults is returned once.
      if (isOfOneRow && parser.info.lines === ended.lines) return;
      const begun = rowEnds();
      parser.push(isOfOneRow ? faultOfRow(begun, parser.info.lines) : faultOfRest(begun));
    },
    skip_empty_lines: true,
    skip_records_with_error: true,
  });
  return parser;
}

function faultOfRow(number: number, last: number): CsvRow {
  const end = last > number ? `: it goes on to line ${last}` : '';
  return { number, fault: `has not as many cells as the first line, or quotes that do not match${end}` };
}

const faultOfRest = (number: number): CsvRow => ({
  number,
  fault: `has quotes that do not match, or more than ${LONGEST} characters: nothing from this line on was read`,
  isLast: true,
});

/**
 * The rows of a CSV file (RFC 4180) whose first line names the columns. Stops at the first row without a certain end.
 * `onBytes` gets the number of bytes that are read.
 */
export async function* recordsInCsv(
  input: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<FileRecord> {
  const parser = csvParser();
  pipeline(Readable.from(textOf(input, onBytes)), parser, () => undefined);
  for await (const row of parser as AsyncIterable<CsvRow>) {
    yield row;
    if (row.isLast) return;
  }
}
