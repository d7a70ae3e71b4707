import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { temporaryFolder } from '../service/start.ts';
import { holdToPromises } from './conformance/all.ts';

holdToPromises('the SQLite engine', async (t) => {
  const store = openSqlite(await temporaryFolder(t));
  // A test of closing has closed it already.
  t.after(() => store.close().catch(() => undefined));
  return store;
});
