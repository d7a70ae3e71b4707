import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { temporaryFolder } from '../service/start.ts';
import { holdToPromises } from './conformance/all.ts';

holdToPromises('the SQLite engine', async (t) => {
  const store = openSqlite(await temporaryFolder(t));
  t.after(() => store.close());
  return store;
});
