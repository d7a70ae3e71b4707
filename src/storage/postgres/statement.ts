import type { Scalar } from '../transfer.ts';

/** A statement, prepared on each connection when it is first sent there, under a name that no other has. */
export interface Statement {
  readonly noun: string;
  readonly name: string;
  readonly text: string;
}

export type SqlValue = Scalar | readonly Scalar[];
export type ResultRow = Readonly<Record<string, unknown>>;

/** The statement of a noun, such as `statement('tickets', 'find', 'SELECT …')`. */
export function statement(noun: string, verb: string, text: string): Statement {
  return { noun, name: `${noun}.${verb}`, text };
}

/** Items of a unit that are written together, by one statement. */
export interface Batch<T> {
  readonly statement: Statement;
  readonly values: (items: readonly T[]) => SqlValue[];
}

/** What nouns read through. */
export interface Reading {
  rows(statement: Statement, ...values: SqlValue[]): Promise<readonly ResultRow[]>;
}

/** What nouns write through: the transaction of one unit. */
export interface Writing extends Reading {
  /** How many rows the statement changed. */
  change(statement: Statement, ...values: SqlValue[]): Promise<number>;
  /** Sends the statement without waiting for its answer: a fault of it fails the unit. */
  send(statement: Statement, ...values: SqlValue[]): Promise<void>;
  /** As `send`, together with the other items of the batch that come before anything else asks for the noun. */
  gather<T>(batch: Batch<T>, item: T): Promise<void>;
  /** Has the unit alone hold the key until it ends; units of other instances wait too. */
  hold(key: bigint): Promise<void>;
}

/** The text as it is kept: PostgreSQL refuses NUL in a text, so it is escaped, and what escapes it too. */
export function escaped(text: string): string {
  const escapes = text.includes('\0') || text.includes('\u0001');
  return escapes ? text.replaceAll('\u0001', '\u0001b').replaceAll('\0', '\u0001a') : text;
}

/** The text that {@link escaped} made this of. */
export function unescaped(text: string): string {
  return text.includes('\u0001') ? text.replaceAll('\u0001a', '\0').replaceAll('\u0001b', '\u0001') : text;
}
