/** The checks of the embedded store for the command line, which imports no engine. */
export { warningOfOthers } from '../storage/sqlite/data-folder.ts';
export { examineSqlite } from '../storage/sqlite/examine.ts';
