/** What writes and puts back a backup of the embedded store, for the command line, which knows no engine. */
export { backUpSqlite, type OnShare } from './sqlite/backup.ts';
export { type Rehearsal, rehearseMigration } from './sqlite/migration-copy.ts';
export { restoreSqlite } from './sqlite/restore.ts';
