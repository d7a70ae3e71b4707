import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { addUser, aUser } from '../../core/storage/conformance/samples.ts';
import { afterwards } from '../../service/afterwards.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { commitsIn, openUntilEnd } from './folder.ts';

test('units of one turn share a commit, those that fail included', async (t) => {
  t.mock.method(performance, 'now', () => 1);
  const folder = await temporaryFolder(t);
  const store = openUntilEnd(t, folder);
  const before = commitsIn(folder);
  const writes = Array.from({ length: 100 }, (_, n) =>
    store.write(async (unit) => {
      await unit.users.add(aUser(`user ${n}`));
      if (n % 10 === 0) throw new Error('undone');
    }),
  );
  await Promise.allSettled(writes);
  assert.equal(commitsIn(folder) - before, 1);
  assert.equal(await store.read((unit) => unit.users.count()), 90);
});

test('units of several callbacks of one turn share a commit', async (t) => {
  t.mock.method(performance, 'now', () => 1);
  const folder = await temporaryFolder(t);
  const store = openUntilEnd(t, folder);
  const before = commitsIn(folder);
  const names = Array.from({ length: 20 }, (_, n) => `user ${n}`);
  const added = names.map((name) => new Promise((done) => setTimeout(() => done(addUser(store, name)), 1)));
  // All of them are due when the loop comes to its timers.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  await Promise.all(added);
  assert.equal(commitsIn(folder) - before, 1);
});

test('units that wait for one another have a commit each', async (t) => {
  const folder = await temporaryFolder(t);
  const store = openUntilEnd(t, folder);
  const before = commitsIn(folder);
  for (const name of ['ada', 'ben', 'eve']) await addUser(store, name);
  assert.equal(commitsIn(folder) - before, 3);
});

test('no unit is answered before the shared commit', async (t) => {
  const folder = await temporaryFolder(t);
  const [store, other] = [openUntilEnd(t, folder), openUntilEnd(t, folder)];
  const seen = ['ada', 'ben', 'eve'].map(async (name) => {
    await addUser(store, name);
    return other.read((unit) => unit.users.count());
  });
  assert.deepEqual(await Promise.all(seen), [3, 3, 3]);
});

test('256 units share a commit at most: further ones share the next', async (t) => {
  t.mock.method(performance, 'now', () => 1);
  const folder = await temporaryFolder(t);
  const store = openUntilEnd(t, folder);
  for (const [units, commits] of [
    [512, 2],
    [513, 3],
  ] as const) {
    const before = commitsIn(folder);
    const writes = Array.from({ length: units }, (_, n) => addUser(store, `user ${n} of ${units}`));
    const ids = (await Promise.all(writes)).map(({ id }) => id);
    assert.equal(new Set(ids).size, units);
    assert.equal(commitsIn(folder) - before, commits);
  }
  assert.equal(await store.read((unit) => unit.users.count()), 1_025);
});

test('after 100 ms no further unit joins a shared commit', async (t) => {
  let now = 1;
  t.mock.method(performance, 'now', () => now);
  const folder = await temporaryFolder(t);
  const store = openUntilEnd(t, folder);
  for (const [units, commits] of [
    [100, 1],
    [101, 2],
  ] as const) {
    const before = commitsIn(folder);
    const writes = Array.from({ length: units }, (_, n) =>
      store.write(async ({ users }) => {
        now += 1;
        await users.add(aUser(`user ${n} of ${units}`));
      }),
    );
    await Promise.all(writes);
    assert.equal(commitsIn(folder) - before, commits);
  }
});

test('a commit is on the disk: the connection that writes does so ahead and syncs in full', async (t) => {
  const writers = new Set<DatabaseSync>();
  const onQuery = (message: unknown) => {
    const { sql, database } = message as { sql: string; database: DatabaseSync };
    if (/^(BEGIN|COMMIT|INSERT)/.test(sql)) writers.add(database);
  };
  const store = openSqlite(await temporaryFolder(t));
  afterwards(t, () => store.close());
  subscribe('sqlite.db.query', onQuery);
  await addUser(store, 'ada');
  unsubscribe('sqlite.db.query', onQuery);
  assert.equal(writers.size, 1);
  for (const writer of writers) {
    assert.equal(writer.prepare('PRAGMA synchronous').get()?.synchronous, 2);
    assert.equal(writer.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal');
  }
});
