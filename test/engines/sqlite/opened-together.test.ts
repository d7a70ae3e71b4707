import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { databaseIn, openUntilEnd } from './folder.ts';

const PARTIES = 3;
const ROUNDS = 20;

test('several that open a new folder at the same moment all open it, and make one schema', async (t) => {
  const above = await temporaryFolder(t);
  const folders = Array.from({ length: ROUNDS }, (_, n) => join(above, String(n)));
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { folders, gate, parties: PARTIES };
  const workers = Array.from(
    { length: PARTIES },
    () => new Worker(new URL('./opened-together.ts', import.meta.url), { workerData }),
  );
  const faults = await Promise.all(workers.map(async (worker) => (await once(worker, 'message'))[0]));
  assert.deepEqual(faults.flat(), []);
  for (const folder of folders) {
    const db = new DatabaseSync(databaseIn(folder), { readOnly: true });
    assert.equal(db.prepare('SELECT count(*) AS rows FROM server').get()?.rows, 1);
    db.close();
  }
});

for (const state of ['new', 'made'] as const) {
  test(`a ${state} database that another holds for a moment is opened after that moment`, async (t) => {
    const folder = await temporaryFolder(t);
    if (state === 'made') await openSqlite(folder).close();
    const workerData = { file: databaseIn(folder), time: 300 };
    const holder = new Worker(new URL('./holder.ts', import.meta.url), { workerData });
    const ended = once(holder, 'exit');
    await once(holder, 'message');
    const store = openUntilEnd(t, folder);
    assert.equal((await addUser(store, 'ada')).name, 'ada');
    await ended;
  });
}
