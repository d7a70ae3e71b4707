import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { addUser, aUser } from '../../core/storage/conformance/samples.ts';
import { afterwards } from '../../service/afterwards.ts';
import { temporaryFolder } from '../../service/start.ts';
import { commitsIn, openUntilEnd } from './folder.ts';

test('a unit that takes long is answered before the next one begins', async (t) => {
  const folder = await temporaryFolder(t);
  const store = openUntilEnd(t, folder);
  const before = commitsIn(folder);
  const told: string[] = [];
  const units = ['ada', 'ben', 'eve'].map(async (name) => {
    await store.write(async ({ users }) => {
      told.push(`${name} begins`);
      await users.add(aUser(name));
      await pause(200);
    });
    told.push(`${name} is answered`);
  });
  await Promise.all(units);
  assert.deepEqual(
    told,
    ['ada', 'ben', 'eve'].flatMap((name) => [`${name} begins`, `${name} is answered`]),
  );
  assert.equal(commitsIn(folder) - before, 3);
});

test('a unit whose turn does not come in time fails with StoreUnavailable, and the one before it is done', async (t) => {
  const release = Promise.withResolvers<void>();
  let now = 1;
  t.mock.method(performance, 'now', () => now);
  const store = openUntilEnd(t, await temporaryFolder(t));
  afterwards(t, release.resolve);
  const first = store.write(async ({ users }) => {
    await users.add(aUser('ada'));
    await release.promise;
  });
  const late = ['ben', 'eve'].map((name) =>
    assert.rejects(addUser(store, name), { name: 'StoreUnavailable', message: /was taken for 5000 ms/ }),
  );
  now = 5_002;
  await Promise.all(late);
  release.resolve();
  await first;
  assert.equal((await addUser(store, 'zoe')).name, 'zoe');
  assert.equal(await store.read((unit) => unit.users.count()), 2);
});
