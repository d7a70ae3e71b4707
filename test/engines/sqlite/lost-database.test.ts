import assert from 'node:assert/strict';
import { cpSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { StoreUnavailable } from '../../../src/core/storage/store.ts';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { temporaryFolder } from '../../service/start.ts';
import { until } from '../../service/until.ts';
import { databaseIn, openUntilEnd } from './folder.ts';

const LOST: readonly [what: string, doTo: (file: string) => void][] = [
  ['removed', (file) => rmSync(file)],
  ['moved away', (file) => renameSync(file, `${file}.old`)],
  [
    'replaced by a copy',
    (file) => {
      cpSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  ],
];

for (const [what, doTo] of LOST)
  test(`a database that is ${what} while it is open takes no more that would be lost, and is read no more`, async (t) => {
    const folder = await temporaryFolder(t);
    const store = openUntilEnd(t, folder);
    await addUser(store, 'ada');
    doTo(databaseIn(folder));
    await assert.rejects(addUser(store, 'ben'), (error) => {
      assert.ok(error instanceof StoreUnavailable);
      assert.match(
        error.message,
        /tessera\.db was removed or replaced while it was open.*: stop the service/,
      );
      return true;
    });
    await until('reads fail', () =>
      assert
        .rejects(
          store.read((unit) => unit.users.list()),
          /StoreUnavailable.*nothing is read or written/,
        )
        .then(() => true),
    );
  });

test('a database that is put back takes what is written again', async (t) => {
  const folder = await temporaryFolder(t);
  const store = openUntilEnd(t, folder);
  const file = databaseIn(folder);
  renameSync(file, `${file}.old`);
  await assert.rejects(addUser(store, 'ada'), StoreUnavailable);
  renameSync(`${file}.old`, file);
  assert.equal((await addUser(store, 'ada')).name, 'ada');
});

test('a database that the system does not let us see is not called removed, and takes what is written once it does', async (t) => {
  const parent = await temporaryFolder(t);
  const folder = join(parent, 'data');
  const store = openUntilEnd(t, folder);
  renameSync(folder, `${folder}.old`);
  // A loop of links, since tests may run as root, who may open every file.
  symlinkSync(folder, folder);
  await assert.rejects(addUser(store, 'ada'), {
    name: 'StoreUnavailable',
    message: `whether ${databaseIn(folder)} is still in its place cannot be seen, so nothing is read or written: let the service look into its folder`,
  });
  rmSync(folder);
  renameSync(`${folder}.old`, folder);
  assert.equal((await addUser(store, 'ada')).name, 'ada');
});
