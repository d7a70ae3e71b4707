import type { UnitTable } from '../engines/sql/statement.ts';
import { CAPABILITIES } from './capabilities.ts';

/** The tables of all capabilities, which every engine opens. */
export const TABLES: readonly UnitTable[] = CAPABILITIES.flatMap(({ tables }) => tables ?? []);
