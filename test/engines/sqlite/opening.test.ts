import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sqliteMigrations } from '../../../src/engines/sqlite/open.ts';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { databaseIn, digestsIn, openUntilEnd } from './folder.ts';

const modeOf = (place: string) => statSync(place).mode & 0o777;

test('a missing folder is made for its owner alone, with those above it that are missing too', async (t) => {
  const above = join(await temporaryFolder(t), 'var');
  openUntilEnd(t, join(above, 'tessera'));
  assert.equal(modeOf(join(above, 'tessera')), 0o700);
  assert.equal(modeOf(above), 0o700);
});

test('a folder that is there keeps its mode', async (t) => {
  const folder = join(await temporaryFolder(t), 'data');
  mkdirSync(folder);
  chmodSync(folder, 0o750);
  openUntilEnd(t, folder);
  assert.equal(modeOf(folder), 0o750);
});

test('an empty file in the database’s place is taken as a new database', async (t) => {
  const folder = await temporaryFolder(t);
  new DatabaseSync(databaseIn(folder)).close();
  assert.equal((await addUser(openUntilEnd(t, folder), 'ada')).name, 'ada');
});

test('a database restored from a copy made with VACUUM INTO writes its log ahead again', async (t) => {
  const folder = await temporaryFolder(t);
  const first = openSqlite(folder);
  await addUser(first, 'ada');
  await first.close();
  const copied = new DatabaseSync(databaseIn(folder));
  copied.exec(`VACUUM INTO '${folder}/copy.db'`);
  copied.close();
  rmSync(databaseIn(folder));
  const copy = new DatabaseSync(`${folder}/copy.db`);
  copy.exec(`VACUUM INTO '${databaseIn(folder)}'`);
  copy.close();
  const store = openUntilEnd(t, folder);
  assert.equal(await store.read((unit) => unit.users.count()), 1);
  // Bytes 18 and 19 of the file tell the journal mode: 1 rolls back, 2 writes ahead.
  assert.deepEqual([...readFileSync(databaseIn(folder)).subarray(18, 20)], [2, 2]);
});

test('the status of migrations is told without migrating, or leaving anything behind', async (t) => {
  const folder = join(await temporaryFolder(t), 'data');
  const toBeDone = sqliteMigrations(folder);
  assert.ok(toBeDone.length > 0 && toBeDone.every(({ done }) => !done));
  assert.ok(!existsSync(folder));
  const store = openSqlite(folder);
  assert.ok(sqliteMigrations(folder).every(({ done }) => done));
  await store.close();
  const before = digestsIn(folder);
  assert.ok(sqliteMigrations(folder).every(({ done }) => done));
  assert.deepEqual(digestsIn(folder), before);
});
