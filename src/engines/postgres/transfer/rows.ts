import {
  type ColumnKind,
  keyColumns,
  type Scalar,
  type TransferRow,
  type TransferTable,
} from '../../../core/storage/transfer.ts';
import type { LastIds, TransferSide } from '../../../core/storage/transfer-sides.ts';
import { type Statement, statement } from '../../sql/statement.ts';
import type { PostgresConnection } from '../connection.ts';
import { translated } from '../errors.ts';

const ARRAYS: Readonly<Record<ColumnKind, string>> = {
  number: 'bigint[]',
  text: 'text[]',
  bytes: 'bytea[]',
  flag: 'boolean[]',
};

function pageOf(part: TransferTable, first: boolean): Statement {
  const { name, columns, key } = part;
  const read = Object.entries(columns).map(([column, kind]) =>
    kind === 'number' ? `t.${column}::bigint AS ${column}` : `t.${column}`,
  );
  const keys = keyColumns(part).map((column) => `t.${column}`);
  const places = keys.map((_, place) => `$${place + 1}`).join(', ');
  const where = first ? '' : `WHERE (${keys.join(', ')}) > (${places})`;
  const limit = `LIMIT $${first ? 1 : key + 1}`;
  const text = `SELECT ${read.join(', ')} FROM ${name} t ${where} ORDER BY ${keys.join(', ')} ${limit}`;
  return statement(name, `page${first ? 'First' : ''}`, text);
}

const arrayed = ({ columns }: TransferTable, names: readonly string[]) =>
  names.map((name, place) => `$${place + 1}::${ARRAYS[columns[name] as ColumnKind]}`).join(', ');

function insertOf(part: TransferTable): Statement {
  const names = Object.keys(part.columns);
  const text = `INSERT INTO ${part.name} (${names.join(', ')}) SELECT * FROM unnest(${arrayed(part, names)})`;
  return statement(part.name, 'insert', text);
}

function removalOf(part: TransferTable): Statement {
  const keys = keyColumns(part);
  const same = keys.map((name) => `t.${name} = gone.${name}`).join(' AND ');
  const text = `DELETE FROM ${part.name} t USING unnest(${arrayed(part, keys)}) AS gone (${keys.join(', ')}) WHERE ${same}`;
  return statement(part.name, 'remove', text);
}

const columnsOf = (width: number, rows: readonly TransferRow[]) =>
  Array.from({ length: width }, (_, place) => rows.map((row) => row[place] as Scalar));

/** Passes the answer on; a fault is thrown in words for the operator. */
export const answerOf = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw translated(error);
  });

/** Counts and reads the rows of every table over one connection. */
export function rowsOn(connection: PostgresConnection): Pick<TransferSide, 'count' | 'page'> {
  return {
    async count({ name }) {
      const { rows } = await answerOf(connection.text(`SELECT count(*) AS rows FROM ${name}`));
      return rows[0]?.rows as number;
    },
    async page(part, after, limit) {
      const from = after === undefined ? [] : after.slice(0, part.key);
      const names = Object.keys(part.columns);
      const rows = await answerOf(connection.rows(pageOf(part, after === undefined), ...from, limit));
      return rows.map((row) => names.map((name) => row[name] as Scalar));
    },
  };
}

/** The last ids that were given out, read from the sequences. */
export async function lastIdsOf(connection: PostgresConnection): Promise<LastIds> {
  const of = async (table: string) => {
    const { rows } = await connection.text(
      `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('${table}', 'id')::regclass), 0) AS last`,
    );
    return rows[0]?.last as number;
  };
  return { users: await of('users'), events: await of('events') };
}

/** Removes the rows with these keys and adds the others, in one transaction. */
export async function change(
  connection: PostgresConnection,
  part: TransferTable,
  removed: readonly TransferRow[],
  added: readonly TransferRow[],
): Promise<void> {
  const sent = [connection.text('BEGIN')];
  if (removed.length > 0) sent.push(connection.run(removalOf(part), columnsOf(part.key, removed)));
  if (added.length > 0)
    sent.push(connection.run(insertOf(part), columnsOf(Object.keys(part.columns).length, added)));
  // COMMIT rolls a transaction back in which something failed.
  sent.push(connection.text('COMMIT'));
  await answerOf(Promise.all(sent));
}
