import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../../src/core/storage/store.ts';
import { holdFolder, isServed } from '../../../src/engines/sqlite/service-lock.ts';
import { addUser, contents } from '../../core/storage/conformance/samples.ts';
import { afterwards } from '../../service/afterwards.ts';
import { temporaryFolder } from '../../service/start.ts';
import { databaseIn, openUntilEnd } from './folder.ts';

/** A store, and another connection that takes its write lock and gives it back. */
async function contended(t: TestContext): Promise<{ store: Store; take: () => void; giveBack: () => void }> {
  const folder = await temporaryFolder(t);
  const store = openUntilEnd(t, folder);
  const other = new DatabaseSync(databaseIn(folder));
  afterwards(t, () => other.close());
  return { store, take: () => other.exec('BEGIN IMMEDIATE'), giveBack: () => other.exec('ROLLBACK') };
}

test('a writer waits for the lock of another one without blocking this process, and readers do not wait', async (t) => {
  const { store, take, giveBack } = await contended(t);
  await addUser(store, 'ada');
  take();
  let answered = 0;
  const writes = ['ben', 'eve'].map((name) => addUser(store, name).then(() => (answered += 1)));
  // This event loop releases the lock: a writer that blocked it would wait for ever.
  for (let turn = 0; turn < 10; turn++) {
    await pause(10);
    assert.equal((await contents(store)).users, 1);
  }
  assert.equal(answered, 0);
  giveBack();
  await Promise.all(writes);
  assert.equal((await contents(store)).users, 3);
});

test('a writer that gets no lock in time fails with StoreUnavailable, writes nothing, and the next one writes', async (t) => {
  const { store, take, giveBack } = await contended(t);
  take();
  let now = 1;
  t.mock.method(performance, 'now', () => now);
  let told = 0;
  const refused = (name: string) =>
    assert
      .rejects(addUser(store, name), { name: 'StoreUnavailable', message: /held by another writer/ })
      .finally(() => (told += 1));
  const first = refused('ada');
  await pause(50);
  const second = refused('ben');
  await pause(50);
  assert.equal(told, 0, 'it is the deadline that gives up, not the first try');
  now = 5_002;
  await Promise.all([first, second]);
  giveBack();
  await addUser(store, 'eve');
  assert.equal((await contents(store)).users, 1);
});

test('whether a service holds a data folder is told, and asking leaves nothing there', async (t) => {
  const folder = await temporaryFolder(t);
  assert.ok(!isServed(folder));
  assert.deepEqual(readdirSync(folder), []);
  const hold = holdFolder(folder);
  assert.ok(isServed(folder));
  hold[Symbol.dispose]();
  assert.ok(!isServed(folder));
});
