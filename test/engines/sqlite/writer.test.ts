import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { StoreUnavailable, type WriteUnit } from '../../../src/core/storage/store.ts';
import { SqliteWriter } from '../../../src/engines/sqlite/writer.ts';

/** A writer on a database of its own; its units need nothing of a store. */
function writerOn(t: TestContext) {
  const db = new DatabaseSync(':memory:');
  t.after(() => db.close());
  const watcher = { begun: () => undefined, committed: () => undefined };
  return { db, writer: new SqliteWriter(db, {} as WriteUnit, watcher, () => undefined) };
}

const sqliteError = (errcode: number) => Object.assign(new Error('a fault of SQLite'), { errcode });

test('a transaction that cannot begin is tried again only while another process holds the lock', async (t) => {
  const { db, writer } = writerOn(t);
  const exec = db.exec.bind(db);
  for (const [errcode, tries] of [
    [10, 1],
    [5, 3],
  ] as const) {
    let begun = 0;
    t.mock.method(db, 'exec', (sql: string) => {
      if (sql !== 'BEGIN IMMEDIATE') return exec(sql);
      begun += 1;
      if (begun <= 2) throw sqliteError(errcode);
      exec(sql);
    });
    const written = writer.run(async () => 'written');
    if (tries === 1) await assert.rejects(written, StoreUnavailable);
    else assert.equal(await written, 'written');
    assert.equal(begun, tries);
  }
});

test('a fault that ends the whole transaction fails every unit of the batch, as the fault that it is', async (t) => {
  const { db, writer } = writerOn(t);
  const units = [
    writer.run(async () => 'not committed'),
    writer.run(async () => {
      db.exec('ROLLBACK');
      throw sqliteError(13);
    }),
  ];
  for (const { status, ...rest } of await Promise.allSettled(units)) {
    assert.equal(status, 'rejected');
    const { reason } = rest as PromiseRejectedResult;
    assert.ok(reason instanceof StoreUnavailable);
    assert.equal(reason.message, 'the disk is full: free some space');
  }
});
