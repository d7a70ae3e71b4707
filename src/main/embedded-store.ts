/** What looks at the embedded store without using it, for the command line, which knows no engine. */
export { warningOfOthers } from '../storage/sqlite/data-folder.ts';
export { examineSqlite } from '../storage/sqlite/examine.ts';
