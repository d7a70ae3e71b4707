import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SqlRow } from '../sql/sql.ts';
import type { SqlValue, Statement, Writing } from '../sql/statement.ts';
import { placeholders } from './prepare.ts';

/** SQLite has no flags and no lists: a flag is 0 or 1 there, and a list a JSON array. */
function bound(value: SqlValue): string | number | Buffer | null {
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? JSON.stringify(value) : (value as string | number | Buffer | null);
}

/**
 * The statements of tables over one connection, each prepared when it is first used; on a reading connection SQLite itself refuses
 * the writes. Nothing is locked: one unit writes at a time.
 */
export class SqliteStatements implements Writing {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<Statement, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  async rows(statement: Statement, ...values: SqlValue[]): Promise<readonly SqlRow[]> {
    return this.#of(statement).all(...values.map(bound));
  }

  async change(statement: Statement, ...values: SqlValue[]): Promise<number> {
    return Number(this.#of(statement).run(...values.map(bound)).changes);
  }

  async send(statement: Statement, ...values: SqlValue[]): Promise<void> {
    this.#of(statement).run(...values.map(bound));
  }

  async lock(): Promise<void> {}

  #of(statement: Statement): StatementSync {
    const cached = this.#prepared.get(statement);
    if (cached !== undefined) return cached;
    const prepared = this.#db.prepare(placeholders(statement.sqlite));
    this.#prepared.set(statement, prepared);
    return prepared;
  }
}
