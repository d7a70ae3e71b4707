import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { emptiedCaches } from '../../../src/core/emptied-caches.ts';
import type { WriteUnit } from '../../../src/core/storage/store.ts';
import { ReadCache, type WalWatcher } from '../../../src/engines/sqlite/read-cache.ts';
import { aDigest, addUser, aTicket, issue, NOW } from '../../core/storage/conformance/samples.ts';
import { afterwards } from '../../service/afterwards.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { databaseIn, openUntilEnd } from './folder.ts';

/** Two stores on one folder, as two processes have them, and a ticket of ada's that both have looked up. */
async function looked(t: TestContext) {
  const folder = await temporaryFolder(t);
  const [one, other] = [openUntilEnd(t, folder), openUntilEnd(t, folder)];
  const ada = await addUser(one, 'ada');
  await issue(one, aTicket(1, ada));
  const findIn = (store: typeof one) => store.read((unit) => unit.tickets.find(aDigest(1)));
  for (const store of [one, other]) assert.ok(await findIn(store));
  return { folder, one, other, ada, findIn };
}

/** Every change of the result of a look-up. */
const CHANGES: Record<string, (unit: WriteUnit, userId: number) => Promise<unknown>> = {
  'ends the ticket': (unit) => unit.tickets.end(aDigest(1)),
  'writes a use of it': (unit) => unit.tickets.use(aDigest(1), NOW + 5_000),
  'raises the generation of the server': (unit) => unit.tickets.raiseServerGeneration(),
  'raises that of the user': (unit, id) => unit.users.change(id, { generation: 7 }),
  'disables the user': (unit, id) => unit.users.change(id, { disabled: true }),
  'locks the user': (unit, id) => unit.users.change(id, { lockedUntil: NOW }),
  'removes the user': (unit, id) => unit.users.remove(id),
};

for (const [what, change] of Object.entries(CHANGES)) {
  test(`a write unit that ${what} is seen by the next look-up of its own store and of another`, async (t) => {
    const { one, other, ada, findIn } = await looked(t);
    const before = await findIn(one);
    await one.write((unit) => change(unit, ada.id));
    const after = await findIn(one);
    assert.notDeepEqual(after, before);
    assert.deepEqual(await findIn(other), after);
  });
}

test('what is rolled back is not seen, nor what is not committed yet', async (t) => {
  const { one, other, findIn } = await looked(t);
  const before = await findIn(one);
  const failing = one.write(async (unit) => {
    await unit.tickets.end(aDigest(1));
    for (const store of [one, other]) assert.deepEqual(await findIn(store), before);
    throw new Error('undone');
  });
  await assert.rejects(failing, /undone/);
  for (const store of [one, other]) assert.deepEqual(await findIn(store), before);
});

test('a commit of another connection between two of ours is seen, whatever the log does meanwhile', async (t) => {
  const { folder, one, ada, findIn } = await looked(t);
  const foreign = new DatabaseSync(databaseIn(folder));
  afterwards(t, () => foreign.close());
  for (let round = 1; round <= 20; round += 1) {
    await one.write((unit) => unit.attempts.setFamiliar(ada.id, '192.0.2.1', round));
    foreign.exec(`UPDATE users SET generation = ${round}`);
    assert.equal((await findIn(one))?.user.generation, round);
    if (round % 5 === 0) foreign.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    await one.write((unit) => unit.attempts.setFamiliar(ada.id, '192.0.2.1', -round));
    assert.equal((await findIn(one))?.user.generation, round);
  }
});

test('a unit that begins after a foreign commit sees it, though one that began before has not looked yet', async (t) => {
  const { folder, one, findIn } = await looked(t);
  const foreign = new DatabaseSync(databaseIn(folder));
  afterwards(t, () => foreign.close());
  const early = findIn(one);
  foreign.exec('UPDATE users SET generation = 9');
  const late = findIn(one);
  assert.equal((await late)?.user.generation, 9);
  assert.ok([0, 9].includes((await early)?.user.generation ?? -1));
});

test('when the look for foreign commits fails, everything is invalidated', () => {
  const version = { setReturnArrays: () => undefined, get: () => [1] };
  const cache = new ReadCache(
    { isUnchanged: () => true } as unknown as WalWatcher,
    { prepare: () => version } as unknown as DatabaseSync,
  );
  const since = cache.changes.now;
  const isValid = () => cache.changes.isUnchanged(cache.changes.placeOf('ada'), since);
  cache.begun();
  cache.committed();
  assert.equal(isValid(), true);
  cache.begun();
  version.get = () => {
    throw new Error('disk I/O error');
  };
  cache.committed();
  assert.equal(isValid(), false);
});

test('a foreign commit before the transaction of ours is seen, though nothing was read in between', async (t) => {
  const { folder, one, ada, findIn } = await looked(t);
  const foreign = new DatabaseSync(databaseIn(folder));
  afterwards(t, () => foreign.close());
  foreign.exec('UPDATE users SET generation = 9');
  await one.write((unit) => unit.attempts.setFamiliar(ada.id, '192.0.2.1', NOW));
  assert.equal((await findIn(one))?.user.generation, 9);
});

test('what a commit of ours did not change is kept', async (t) => {
  const { one, ada, findIn } = await looked(t);
  const before = await findIn(one);
  await one.write((unit) => unit.attempts.setFamiliar(ada.id, '192.0.2.1', NOW));
  assert.equal(await findIn(one), before, 'the very object');
});

test('each commit of another process counts as an emptied cache, and no commit of ours', async (t) => {
  const { one, other, ada, findIn } = await looked(t);
  const count = () => emptiedCaches().get('commit') as number;
  const before = count();
  await one.write((unit) => unit.attempts.setFamiliar(ada.id, '192.0.2.1', NOW));
  await findIn(one);
  assert.equal(count(), before);
  await findIn(other);
  assert.equal(count(), before + 1);
});

test('a store that keeps nothing looks a ticket up each time, and sees each change', async (t) => {
  const { folder, one, findIn } = await looked(t);
  const store = openSqlite(folder, { cache: 0 });
  afterwards(t, () => store.close());
  const before = await findIn(store);
  assert.ok(before);
  assert.notEqual(await findIn(store), before, 'another object');
  await one.write((unit) => unit.tickets.end(aDigest(1)));
  assert.equal(await findIn(store), undefined);
});
