import { PORTAL } from '../../../core/api.ts';
import { isRefusal } from '../../../core/domain/refusal.ts';
import { type AnyOperation, answer } from '../../../core/operation.ts';
import type { Representation } from '../../../core/representations/representation.ts';

/** A part of a file: some rows, as the JSON of the list shows them. */
interface FilePart {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** The part of a JSON Schema that names the members of a row. */
interface RowSchema {
  readonly properties?: Readonly<Record<string, RowSchema>>;
}

/** The columns of a row: the path to each of its members. A member that is an object has a column for each of its own. */
function columnsOf({ properties = {} }: RowSchema): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema.properties === undefined ? [[name]] : columnsOf(schema).map((path) => [name, ...path]),
  );
}

const at = (row: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], row);

/**
 * Where a formula begins in a spreadsheet, also behind white space or with a full-width sign: at the beginning of a cell, or
 * after what a spreadsheet may take for the end of one.
 */
const FORMULA = /(?:^|(?<=[;,\t\r\n"]))(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/g;

/**
 * A cell in quotes (RFC 4180 section 2). An apostrophe before what a spreadsheet would read as a formula makes it text: names
 * and programs in a list are written by anybody.
 */
function cell(value: unknown): string {
  const text = value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
  const safe = typeof value === 'number' ? text : text.replace(FORMULA, "'");
  return `"${safe.replaceAll('"', '""')}"`;
}

const line = (values: readonly unknown[]) => `${values.map(cell).join(',')}\r\n`;

/** Writes a file in parts: lines with a header, or a JSON array with a row in each line. */
function fileShown(schema: RowSchema): Representation<FilePart> {
  const columns = columnsOf(schema);
  const header = line(columns.map((path) => path.join('.')));
  return {
    schema: {},
    csv: ({ rows, isFirst }) =>
      (isFirst ? header : '') + rows.map((row) => line(columns.map((path) => at(row, path)))).join(''),
    jsonText: ({ rows, isFirst, isLast }) => {
      const lines = rows.map((row, index) => (isFirst && index === 0 ? '' : ',\n') + JSON.stringify(row));
      return `${isFirst ? '[\n' : ''}${lines.join('')}${isLast ? '\n]\n' : ''}`;
    },
    json: ({ rows }) => rows,
  };
}

/** The most rows of a part. */
const MOST_ROWS = '1000';

/** The address of a download. The segment before the last of its id names the file. */
interface Place {
  readonly id: `org/service/repository/portal/console/${string}/download.get`;
  readonly path: `/console/${string}`;
}

/**
 * The download of a list of the specification, section 16, with its role and filters, as CSV or, with `format=json`, as JSON. The
 * columns are the members of its rows.
 */
export function download(list: AnyOperation, { id, path }: Place): AnyOperation {
  const { properties = {} } = list.output.schema as RowSchema;
  const { items: rows } = properties.items as unknown as { readonly items: RowSchema };
  const listJson = list.output.json as (value: never) => unknown;
  const partOf = async (context: ListContext) => {
    const { input } = context;
    const { query } = input;
    const listed = await list.perform({
      ...context,
      input: { ...input, query: { ...query, limit: MOST_ROWS } },
    } as never);
    if (isRefusal(listed)) return listed;
    const { items, next } = listJson(listed.value as never) as ListJson;
    const part = { rows: items, isFirst: !query?.cursor, isLast: next === undefined };
    return answer(part, next === undefined ? {} : { goesOnAt: next });
  };
  return {
    ...list,
    id,
    summary: `Download: ${list.summary}`,
    api: PORTAL,
    family: 'Portal',
    paths: [path],
    defaultFormat: 'csv',
    downloads: true,
    output: fileShown(rows),
    perform: partOf,
  };
}

interface ListContext {
  readonly input: { readonly query?: Readonly<Record<string, string | undefined>> };
}

interface ListJson {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly next?: string;
}
