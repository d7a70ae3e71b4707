import assert from 'node:assert/strict';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { addUser, append, aUser, NOW } from '../../core/storage/conformance/samples.ts';
import { openSqlite } from '../../service/stores.ts';
import { smallDisk } from './disk.ts';
import { databaseIn, openUntilEnd, whyNotOpened } from './folder.ts';

const FULL = { name: 'StoreUnavailable', message: /disk is full: free some space/ };
const LONG = 'x'.repeat(20_000);

/** Fills the disk to its last block; returns a function that frees it again. */
function fill(disk: string): () => void {
  const file = join(disk, 'ballast');
  for (const size of [65_536, 4_096]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  }
  return () => rmSync(file);
}

function integrity(folder: string): unknown {
  const db = new DatabaseSync(databaseIn(folder), { readOnly: true });
  try {
    return db.prepare('PRAGMA integrity_check').get()?.integrity_check;
  } finally {
    db.close();
  }
}

test('a store on a full disk says so to each writer, answers readers, loses nothing, and goes on once there is room', async (t) => {
  const disk = smallDisk(t, 1_024);
  if (disk === undefined) return;
  const store = openUntilEnd(t, disk.place);
  const ada = await addUser(store, 'ada');
  const makeRoom = fill(disk.place);
  for (let turn = 0; turn < 3; turn++) await assert.rejects(addUser(store, `refused ${turn}`), FULL);
  assert.deepEqual(await store.read((unit) => unit.users.list()), [ada]);
  makeRoom();
  const ben = await addUser(store, 'ben');
  assert.deepEqual(await store.read((unit) => unit.users.list()), [ada, ben]);
  assert.equal(integrity(disk.place), 'ok');
});

test('when the disk fills up in a shared commit, none of its units is answered as written, and none is', async (t) => {
  const disk = smallDisk(t, 1_024);
  if (disk === undefined) return;
  const store = openUntilEnd(t, disk.place);
  const makeRoom = fill(disk.place);
  const writes = ['ada', 'ben', 'eve'].map((name) => store.write((unit) => unit.users.add(aUser(name))));
  // Of all that is asked for in one turn, this alone would need more room than there is left by far.
  const long = append(
    store,
    ...Array.from({ length: 20 }, () => ({ at: NOW, kind: 'login', reason: LONG }) as const),
  );
  for (const unit of [...writes, long]) await assert.rejects(unit, FULL);
  makeRoom();
  assert.equal(await store.read((unit) => unit.users.count()), 0);
  assert.equal((await addUser(store, 'ada')).name, 'ada');
});

test('a write aside on a full disk is not reported as written', async (t) => {
  const disk = smallDisk(t, 1_024);
  if (disk === undefined) return;
  const store = openUntilEnd(t, disk.place);
  const makeRoom = fill(disk.place);
  const unit = store.write(async ({ aside, users, events }) => {
    await users.add(aUser('ada'));
    await aside(async () => {
      for (let n = 0; n < 20; n++) await events.append({ at: NOW, kind: 'login', reason: LONG });
    });
    return 'written';
  });
  await assert.rejects(unit, FULL);
  makeRoom();
  assert.equal(await store.read((unit) => unit.users.count()), 0);
});

test('a full disk is named when the store is opened, and the folder opens once there is room', async (t) => {
  for (const kilobytes of [16, 64, 1_024]) {
    const disk = smallDisk(t, kilobytes);
    if (disk === undefined) return;
    const makeRoom = kilobytes === 1_024 ? fill(disk.place) : () => undefined;
    assert.match(whyNotOpened(disk.place), /cannot use the data folder .*disk is full: free some space/);
    makeRoom();
    if (kilobytes < 1_024) continue;
    const store = openSqlite(disk.place);
    await addUser(store, 'ada');
    await store.close();
    assert.equal(integrity(disk.place), 'ok');
  }
});
