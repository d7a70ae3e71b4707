import type { CoreReadUnit, CoreWriteUnit, ReadUnit, WriteUnit } from '../../core/storage/store.ts';
import type { Statement, UnitTable } from './statement.ts';

/** The statements that remove the rows of a user from the tables of capabilities. */
export const removalsIn = (tables: readonly UnitTable[]): Statement[] =>
  tables.flatMap(({ removeOfUser }) => removeOfUser ?? []);

/** Adds the tables of the capabilities to the members that each engine has by itself. */
function withTables<U>(own: object, tables: readonly UnitTable[], open: (table: UnitTable) => object): U {
  return { ...own, ...Object.fromEntries(tables.map((table) => [table.member, open(table)])) } as U;
}

/** A read unit: what an engine has by itself, and the tables of the capabilities. */
export const readUnitOf: (
  own: CoreReadUnit,
  tables: readonly UnitTable[],
  open: (table: UnitTable) => object,
) => ReadUnit = withTables<ReadUnit>;

/** A write unit: what an engine has by itself, and the tables of the capabilities. */
export const writeUnitOf: (
  own: Omit<CoreWriteUnit, 'aside'>,
  tables: readonly UnitTable[],
  open: (table: UnitTable) => object,
) => Omit<WriteUnit, 'aside'> = withTables<WriteUnit>;
