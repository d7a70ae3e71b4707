import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { databaseIn } from '../../../src/engines/sqlite/data-folder.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';

const MOST_COUNTED = 10_000;

test('of the deliveries of a receiver that is down, only so many are counted, waiting ones and dead ones', async (t) => {
  const folder = await temporaryFolder(t);
  const store = openSqlite(folder);
  t.after(() => store.close());
  await store.write(({ webhooks }) => webhooks.setReceivers([{ id: 'siem', kinds: [] }]));
  const db = new DatabaseSync(databaseIn(folder));
  db.exec(`WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n LIMIT ${2 * MOST_COUNTED + 2})
    INSERT INTO webhook_deliveries SELECT id, 'siem', id, 'login', '', '', '', '', 1, id, 0, iif(id % 2, NULL, id), '' FROM n`);
  db.close();
  const [state] = await store.read(({ webhooks }) => webhooks.list());
  assert.deepEqual([state?.waiting, state?.oldestAt, state?.dead], [MOST_COUNTED, 1, MOST_COUNTED]);
});
