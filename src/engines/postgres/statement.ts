import type { SqlValue, Statement, Writing } from '../sql/statement.ts';

/** Items of a unit that one statement writes together. */
export interface Batch<T> {
  readonly statement: Statement;
  readonly values: (items: readonly T[]) => SqlValue[];
}

/** What units write through: the transaction of one unit. */
export interface PostgresWriting extends Writing {
  /** As `send`, in one statement with the other items of the batch. */
  gather<T>(batch: Batch<T>, item: T): Promise<void>;
  /** Takes the advisory lock of this key until the unit ends. Units of other instances wait for it too. */
  hold(key: bigint): Promise<void>;
}
