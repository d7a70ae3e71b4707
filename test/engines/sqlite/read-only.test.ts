import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { mountedFile, smallDisk } from './disk.ts';
import { databaseIn, digestsIn, openUntilEnd, whyNotOpened } from './folder.ts';

const MENDS = /cannot use the data folder .*(writable|read-only)/;

test('an empty read-only folder is refused with the mend', async (t) => {
  const disk = smallDisk(t, 1_024);
  if (disk === undefined) return;
  disk.remount('ro');
  assert.match(whyNotOpened(disk.place), /on a read-only disk: make that writable/);
});

test('a folder that cannot be made on a read-only disk is refused with the mend', async (t) => {
  const disk = smallDisk(t, 1_024);
  if (disk === undefined) return;
  disk.remount('ro');
  const folder = join(disk.place, 'data');
  assert.match(whyNotOpened(folder), MENDS);
  assert.equal(existsSync(folder), false);
});

test('a database in a read-only folder is refused with the mend, stays as it was, and opens once it is writable', async (t) => {
  const disk = smallDisk(t, 1_024);
  if (disk === undefined) return;
  const first = openSqlite(disk.place);
  const ada = await addUser(first, 'ada');
  await first.close();
  const before = digestsIn(disk.place);
  disk.remount('ro');
  assert.match(whyNotOpened(disk.place), MENDS);
  assert.deepEqual(digestsIn(disk.place), before);
  disk.remount('rw');
  const store = openUntilEnd(t, disk.place);
  assert.deepEqual(await store.read((unit) => unit.users.list()), [ada]);
  await addUser(store, 'ben');
});

test('a read-only database in a writable folder is refused when it is opened, not at the first login', async (t) => {
  const written = await temporaryFolder(t);
  await openSqlite(written).close();
  const file = mountedFile(t, databaseIn(written));
  if (file === undefined) return;
  file.remount('ro');
  assert.match(whyNotOpened(dirname(file.place)), MENDS);
});
