import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { databaseIn, openUntilEnd } from './folder.ts';

const OTHER = fileURLToPath(new URL('./other-process.ts', import.meta.url));

test('closing one store does not close the other', async (t) => {
  const folder = await temporaryFolder(t);
  const one = openUntilEnd(t, folder);
  const other = openSqlite(folder);
  await addUser(other, 'ada');
  await other.close();
  await addUser(one, 'ben');
  assert.equal(await one.read((unit) => unit.users.count()), 2);
});

const TAKE_LOCK =
  "new (require('node:sqlite').DatabaseSync)(process.argv[1], { timeout: 0 }).exec('BEGIN IMMEDIATE')";

test('closing one store leaves the other its locks', async (t) => {
  const folder = await temporaryFolder(t);
  const one = openUntilEnd(t, folder);
  const other = openSqlite(folder);
  const taken = await one.write(async () => {
    await other.close();
    return spawnSync(process.execPath, ['-e', TAKE_LOCK, databaseIn(folder)], { encoding: 'utf8' });
  });
  assert.match(taken.stderr, /database is locked/);
});

test('several processes write to one folder, and nothing of any is lost', async (t) => {
  const folder = await temporaryFolder(t);
  const store = openUntilEnd(t, folder);
  const others = ['one', 'two'].map(async (prefix) => {
    const child = spawn(process.execPath, [OTHER, folder, prefix, '40'], { stdio: 'inherit' });
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
  const mine = (async () => {
    for (let n = 0; n < 40; n++) await addUser(store, `mine ${n}`);
  })();
  await Promise.all([...others, mine]);
  const users = await store.read((unit) => unit.users.list());
  assert.equal(users.length, 120);
  assert.equal(new Set(users.map(({ id }) => id)).size, 120);
});
