/** What the command line needs of the embedded store, since it imports no engine. */
export { inFolder, mendOfOwner, warningOfOthers } from './sqlite/data-folder.ts';
export { examineSqlite } from './sqlite/examine.ts';
export { holdFolder, isServed } from './sqlite/service-lock.ts';
