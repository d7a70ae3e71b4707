import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { StoreUnavailable } from '../../../src/core/storage/store.ts';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { afterwards } from '../../service/afterwards.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { damageRows, databaseIn, digestsIn, openUntilEnd, whyNotOpened } from './folder.ts';

/** Opens the folder, which has to fail with this message and to leave every file in it as it was. */
function refusesUntouched(folder: string, message: RegExp): void {
  const before = digestsIn(folder);
  const why = whyNotOpened(folder);
  assert.match(why, message);
  assert.ok(why.includes(folder), `"${why}" names the folder`);
  assert.deepEqual(digestsIn(folder), before);
}

function change(folder: string, sql: string): void {
  const db = new DatabaseSync(databaseIn(folder));
  db.exec(sql);
  db.close();
}

const FOREIGN = /belongs to another program/;
const NO_DATABASE = /is no database/;

const garbage: Record<string, Buffer> = {
  'two bytes': Buffer.from('no'),
  'a line of text': Buffer.from('This is no database.\n'),
  'pages of noise': Buffer.alloc(8_192, 0xa5),
  'a good deal of zeros': Buffer.alloc(8_192),
};
for (const [what, bytes] of Object.entries(garbage)) {
  test(`${what} in the database's place is refused, and stays byte for byte`, async (t) => {
    const folder = await temporaryFolder(t);
    writeFileSync(databaseIn(folder), bytes);
    refusesUntouched(folder, NO_DATABASE);
  });
}

test('a database cut short is refused, and stays byte for byte', async (t) => {
  const folder = await temporaryFolder(t);
  await openSqlite(folder).close();
  writeFileSync(databaseIn(folder), readFileSync(databaseIn(folder)).subarray(0, 100));
  refusesUntouched(folder, /damaged: restore a backup/);
});

test('a database damaged further in answers StoreUnavailable where it is damaged', async (t) => {
  const folder = await temporaryFolder(t);
  const first = openSqlite(folder);
  await addUser(first, 'ada');
  await first.close();
  damageRows(folder);
  const store = openUntilEnd(t, folder);
  const damaged = { name: 'StoreUnavailable', message: /damaged/ };
  await assert.rejects(
    store.read((unit) => unit.users.list()),
    damaged,
  );
  await assert.rejects(addUser(store, 'ben'), damaged);
});

test('a database whose search index is damaged is refused with the mend', async (t) => {
  const folder = await temporaryFolder(t);
  await openSqlite(folder).close();
  damageRows(folder, 'search');
  assert.match(whyNotOpened(folder), /the database is damaged: restore a backup/);
});

const foreign: Record<string, string> = {
  'tables of its own': 'CREATE TABLE theirs (it); INSERT INTO theirs VALUES (1)',
  'tables and a log written ahead': 'PRAGMA journal_mode = WAL; CREATE TABLE theirs (it)',
  'a version, and no table yet': 'PRAGMA user_version = 1',
  'an application id, and no table yet': 'PRAGMA application_id = 7',
  'our version number': 'CREATE TABLE theirs (it); PRAGMA user_version = 1',
};
for (const [what, sql] of Object.entries(foreign)) {
  test(`another program's database with ${what} is refused, and stays byte for byte`, async (t) => {
    const folder = await temporaryFolder(t);
    change(folder, sql);
    refusesUntouched(folder, FOREIGN);
  });
}

test('another program’s database stays as it was with the log that its crash left behind', async (t) => {
  const [theirs, folder] = [await temporaryFolder(t), await temporaryFolder(t)];
  const db = new DatabaseSync(databaseIn(theirs));
  afterwards(t, () => db.close());
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE theirs (it); INSERT INTO theirs VALUES (1)');
  // A crash leaves the file and its log as they are while the program has them open.
  for (const end of ['', '-wal']) copyFileSync(databaseIn(theirs) + end, databaseIn(folder) + end);
  refusesUntouched(folder, FOREIGN);
});

test('a database of a newer schema is refused, says so, and stays byte for byte', async (t) => {
  const folder = await temporaryFolder(t);
  await openSqlite(folder).close();
  change(folder, 'PRAGMA user_version = 1000');
  refusesUntouched(folder, /has schema 1000 .*run the newer version/);
});

test('a file where the folder should be is refused, and stays as it was', async (t) => {
  const folder = join(await temporaryFolder(t), 'data');
  writeFileSync(folder, 'mine');
  assert.match(whyNotOpened(folder), /cannot use the data folder .*not a (folder|directory)/i);
  assert.match(whyNotOpened(join(folder, 'below')), /cannot use the data folder .*not a (folder|directory)/i);
  assert.equal(readFileSync(folder, 'utf8'), 'mine');
});

test('a link to a folder that is not there, and one that leads back to itself, are refused as that', async (t) => {
  const folder = await temporaryFolder(t);
  const [lost, circle] = [join(folder, 'lost'), join(folder, 'circle')];
  symlinkSync('not-mounted', lost);
  symlinkSync('circle', circle);
  for (const end of ['', 'below']) {
    assert.match(whyNotOpened(join(lost, end)), /a link to what is not there: make that, or mount its disk/);
    assert.match(
      whyNotOpened(join(circle, end)),
      /a link that leads back to itself: point the data folder elsewhere/,
    );
  }
});

test('a path that is too long for the system, or for SQLite alone, is refused as that', async (t) => {
  const folder = await temporaryFolder(t);
  const long = [join(folder, 'a'.repeat(300)), join(folder, ...Array(3).fill('é'.repeat(100)))];
  for (const place of long)
    assert.match(whyNotOpened(place), /its path is too long: point the data folder to a shorter/);
});

test('a folder in the database’s place is refused', async (t) => {
  const folder = await temporaryFolder(t);
  mkdirSync(databaseIn(folder));
  assert.match(whyNotOpened(folder), /database file cannot be opened/);
});

test('a refused folder can be opened once the fault is mended', async (t) => {
  const folder = await temporaryFolder(t);
  await openSqlite(folder).close();
  const good = readFileSync(databaseIn(folder));
  writeFileSync(databaseIn(folder), 'garbage');
  assert.throws(() => openSqlite(folder), StoreUnavailable);
  writeFileSync(databaseIn(folder), good);
  assert.equal((await addUser(openUntilEnd(t, folder), 'ada')).name, 'ada');
});
