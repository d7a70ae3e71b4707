import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { afterwards } from '../service/afterwards.ts';
import { temporaryFolder } from '../service/start.ts';
import { holdToPromises } from './conformance/all.ts';

holdToPromises('the SQLite engine', async (t) => {
  const store = openSqlite(await temporaryFolder(t));
  afterwards(t, () => store.close());
  return store;
});
