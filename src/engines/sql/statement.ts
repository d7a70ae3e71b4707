import type { LockedSet } from '../../core/storage/store.ts';
import type { Scalar } from '../../core/storage/transfer.ts';
import type { SqlRow } from './sql.ts';

/** A statement, prepared on each connection when it is first sent there, under a name that no other has. */
export interface Statement {
  /** What a write unit gathered for a group is sent before any other statement of the group. */
  readonly group: string;
  readonly name: string;
  /** With placeholders from `$1` on. */
  readonly text: string;
  /** The text for SQLite, where its dialect differs. A list of values is a JSON array there. */
  readonly sqlite: string;
}

/** A list is an array for PostgreSQL and a JSON array for SQLite. */
export type SqlValue = Scalar | readonly Scalar[];

/** The text of a statement: one for both engines, or one for each. */
type StatementText = string | { readonly postgres: string; readonly sqlite: string };

/** The statement of a group, such as `statement('tickets', 'find', 'SELECT …')`. */
export function statement(group: string, name: string, text: StatementText): Statement {
  const { postgres, sqlite } = typeof text === 'string' ? { postgres: text, sqlite: text } : text;
  return { group, name: `${group}.${name}`, text: postgres, sqlite };
}

/** The statements of a group, each under its name. */
export function statements<K extends string>(
  group: string,
  texts: Readonly<Record<K, StatementText>>,
): Record<K, Statement> {
  const entries = Object.entries<StatementText>(texts).map(([name, text]) => [
    name,
    statement(group, name, text),
  ]);
  return Object.fromEntries(entries) as Record<K, Statement>;
}

/** What a table can lock as a whole. */
export type LockedRows = LockedSet | 'nodes';

/** What a table reads through. */
export interface Reading {
  rows(statement: Statement, ...values: SqlValue[]): Promise<readonly SqlRow[]>;
}

/** What a table writes through, in a write unit. */
export interface Writing extends Reading {
  /** Returns how many rows the statement changed. */
  change(statement: Statement, ...values: SqlValue[]): Promise<number>;
  /** Sends the statement without waiting for its answer. A fault of it fails the unit. */
  send(statement: Statement, ...values: SqlValue[]): Promise<void>;
  /**
   * Locks this set until the unit ends: meanwhile no other unit adds or removes a user or a group, or reads or writes a node in a
   * write unit.
   */
  lock(set: LockedRows): Promise<void>;
}

/** The methods of a table whose answers an engine may keep until one of the others changes a row. The values of `reads` are texts or bytes. */
export interface CachedMethods {
  readonly reads: readonly string[];
  /** Each of them may change any answer. */
  readonly changes: readonly string[];
  /** Each of them changes only answers to questions with the same first value. */
  readonly changesOfFirst?: readonly string[];
}

/** A table of a capability: a member of units, written once for both SQL engines. */
export interface UnitTable {
  /** Its name in units. */
  readonly member: string;
  read(db: Reading): object;
  write(db: Writing): object;
  readonly cached?: CachedMethods;
  /** Removes the rows of a user who is removed; the value of each statement is the user's id. */
  readonly removeOfUser?: Statement | readonly Statement[];
}
