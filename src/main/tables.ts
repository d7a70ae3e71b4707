import type { UnitTable } from '../engines/sql/statement.ts';
import { ticketParentsTable } from '../engines/sql/ticket-parents.ts';
import { CAPABILITIES } from './capabilities.ts';

/** The tables that every engine opens the same way: one of tickets, and those of all capabilities. */
export const TABLES: readonly UnitTable[] = [
  ticketParentsTable,
  ...CAPABILITIES.flatMap(({ tables }) => tables ?? []),
];
