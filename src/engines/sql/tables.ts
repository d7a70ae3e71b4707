import type { CoreReadUnit, CoreWriteUnit, ReadUnit, WriteUnit } from '../../core/storage/store.ts';
import { endingChildren } from '../../core/storage/unit-members.ts';
import type { Statement, UnitTable } from './statement.ts';

/** The statements that remove the rows of a user from the tables of capabilities. */
export const removalsIn = (tables: readonly UnitTable[]): Statement[] =>
  tables.flatMap(({ removeOfUser }) => removeOfUser ?? []);

/** A property that is opened when it is first read: most units use few of the tables. */
function openedOnce(open: () => object): PropertyDescriptor {
  let opened: object | undefined;
  return {
    enumerable: true,
    configurable: true,
    get: () => {
      opened ??= open();
      return opened;
    },
  };
}

/** Adds the tables of the capabilities to the members that each engine has by itself. */
function withTables<U>(own: object, tables: readonly UnitTable[], open: (table: UnitTable) => object): U {
  for (const table of tables)
    Object.defineProperty(
      own,
      table.member,
      openedOnce(() => open(table)),
    );
  return own as U;
}

/** A read unit: what an engine has by itself, and the tables of the capabilities. */
export const readUnitOf: (
  own: CoreReadUnit,
  tables: readonly UnitTable[],
  open: (table: UnitTable) => object,
) => ReadUnit = withTables<ReadUnit>;

/** A write unit: what an engine has by itself, and the tables of the capabilities. */
export function writeUnitOf<U extends Omit<CoreWriteUnit, 'aside' | 'lock'>>(
  own: U,
  tables: readonly UnitTable[],
  open: (table: UnitTable) => object,
): U & Omit<WriteUnit, 'aside' | 'lock'> {
  const ending = endingChildren(own, () => unit.ticketParents);
  const unit: U & Omit<WriteUnit, 'aside' | 'lock'> = withTables({ ...own, ...ending }, tables, open);
  return unit;
}
