/** What the command line needs of the embedded store, since it imports no engine. */
export { warningOfOthers } from '../storage/sqlite/data-folder.ts';
export { examineSqlite } from '../storage/sqlite/examine.ts';
export { holdFolder, isServed } from '../storage/sqlite/service-lock.ts';
