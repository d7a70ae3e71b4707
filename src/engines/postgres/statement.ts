import type { Scalar } from '../../core/storage/transfer.ts';
import type { SqlRow } from '../sql/sql.ts';

/** A statement, prepared on each connection when it is first sent there, under a name that no other has. */
export interface Statement {
  /** What a write unit gathered for a group is sent before any other statement of the group. */
  readonly group: string;
  readonly name: string;
  readonly text: string;
}

export type SqlValue = Scalar | readonly Scalar[];

/** The statement of a group, such as `statement('tickets', 'find', 'SELECT …')`. */
export function statement(group: string, name: string, text: string): Statement {
  return { group, name: `${group}.${name}`, text };
}

/** The statements of a group, each under its name. */
export function statements<K extends string>(
  group: string,
  texts: Readonly<Record<K, string>>,
): Record<K, Statement> {
  const entries = Object.entries<string>(texts).map(([name, text]) => [name, statement(group, name, text)]);
  return Object.fromEntries(entries) as Record<K, Statement>;
}

/** Items of a unit that one statement writes together. */
export interface Batch<T> {
  readonly statement: Statement;
  readonly values: (items: readonly T[]) => SqlValue[];
}

/** What units read through. */
export interface Reading {
  rows(statement: Statement, ...values: SqlValue[]): Promise<readonly SqlRow[]>;
}

/** What units write through: the transaction of one unit. */
export interface Writing extends Reading {
  /** Returns how many rows the statement changed. */
  change(statement: Statement, ...values: SqlValue[]): Promise<number>;
  /** Sends the statement without waiting for its answer. A fault of it fails the unit. */
  send(statement: Statement, ...values: SqlValue[]): Promise<void>;
  /** As `send`, in one statement with the other items of the batch. */
  gather<T>(batch: Batch<T>, item: T): Promise<void>;
  /** Takes the advisory lock of this key until the unit ends. Units of other instances wait for it too. */
  hold(key: bigint): Promise<void>;
}
