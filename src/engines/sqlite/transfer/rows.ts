import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import {
  type ColumnKind,
  keyColumns,
  type Scalar,
  type TransferRow,
  type TransferTable,
} from '../../../core/storage/transfer.ts';
import type { LastIds, TransferSide } from '../../../core/storage/transfer-sides.ts';
import { inFolder } from '../data-folder.ts';

/** This engine's name for a column. */
const columnOf = (name: string): string => (name === 'user_name' ? 'user' : name);

/** A row's values as this engine stores them. */
export const bound = (row: TransferRow): (string | number | Buffer | null)[] =>
  row.map((value) => (typeof value === 'boolean' ? Number(value) : value));

function scalarOf(value: SQLOutputValue, kind: ColumnKind): Scalar {
  if (value === null) return null;
  if (kind === 'flag') return value === 1;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value as string | number;
}

/** Counts and reads the rows of every table over one connection to the database in `folder`. */
export function rowsOn(db: DatabaseSync, folder: string): Pick<TransferSide, 'count' | 'page'> {
  const pages = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  function pageOf(part: TransferTable, first: boolean) {
    const { name, columns, key } = part;
    const cached = pages.get(`${name} ${first}`);
    if (cached !== undefined) return cached;
    const keys = keyColumns(part).map(columnOf).join(', ');
    const where = first ? '' : `WHERE (${keys}) > (${'?, '.repeat(key).slice(0, -2)})`;
    const all = Object.keys(columns).map(columnOf).join(', ');
    const page = db.prepare(`SELECT ${all} FROM ${name} ${where} ORDER BY ${keys} LIMIT ?`);
    page.setReturnArrays(true);
    pages.set(`${name} ${first}`, page);
    return page;
  }

  return {
    count: async ({ name }) =>
      inFolder(folder, () => db.prepare(`SELECT count(*) AS rows FROM ${name}`).get()?.rows as number),
    page: async (part, after, limit) =>
      inFolder(folder, () => {
        const kinds = Object.values(part.columns);
        const from = after === undefined ? [] : bound(after.slice(0, part.key));
        const rows = pageOf(part, after === undefined).all(...from, limit) as unknown as SQLOutputValue[][];
        return rows.map((row) => row.map((value, place) => scalarOf(value, kinds[place] as ColumnKind)));
      }),
  };
}

/** A statement that adds a row of the table. */
export function insertOf({ name, columns }: TransferTable): string {
  const names = Object.keys(columns);
  return `INSERT INTO ${name} (${names.map(columnOf).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}

/** A statement that removes the row with a key. */
export function removalOf(part: TransferTable): string {
  const keys = keyColumns(part).map((name) => `${columnOf(name)} = ?`);
  return `DELETE FROM ${part.name} WHERE ${keys.join(' AND ')}`;
}

/** The highest ids that the database ever gave out. */
export function lastIdsOf(db: DatabaseSync): LastIds {
  const last = db.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?');
  const of = (table: string) => (last.get(table)?.seq as number | undefined) ?? 0;
  return { users: of('users'), events: of('events') };
}

/** Raises the last ids to these where they are lower, so that none of them is given out again. */
export function raiseLastIds(db: DatabaseSync, lastIds: LastIds): void {
  const raiseSequence = db.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1');
  const added = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  for (const [table, last] of Object.entries(lastIds)) {
    if (raiseSequence.run(table, last).changes === 0) added.run(table, last);
  }
}
