import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFirstAdministrator } from '../../../src/core/first-start.ts';
import { SettingsFaulty } from '../../../src/core/settings/read.ts';
import { readSettings } from '../../../src/main/settings.ts';
import { openMemory } from '../../engines/memory/open.ts';
import { stepsOnDisk } from '../../engines/steps-on-disk.ts';
import { temporaryFolder } from '../../service/start.ts';

const CHEAP = { memory: 8, passes: 1, lanes: 1 };

/** A first start on a store without a data folder, such as PostgreSQL. */
function firstStart(data: string, store = openMemory()) {
  const { settings } = readSettings({ flags: {}, env: { TESSERA_DATA: data } });
  return { store, made: makeFirstAdministrator(store, settings, CHEAP, false, Date.now) };
}

test('a data folder that is missing is made for the password, for the operator alone', async (t) => {
  const data = join(await temporaryFolder(t), 'new', 'data');
  const file = join(data, 'initial-password');
  assert.deepEqual(await firstStart(data).made, { kind: 'in-file', file });
  assert.equal((await stat(data)).mode & 0o777, 0o700);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('the password is on the disk before the administrator is, and so is the name of its file', async (t) => {
  const data = await temporaryFolder(t);
  const steps = stepsOnDisk(t);
  const store = openMemory();
  const { write } = store;
  t.mock.method(store, 'write', async (...given: Parameters<typeof write>) => {
    const value = await write.apply(store, given);
    steps.push('committed');
    return value;
  });
  await firstStart(data, store).made;
  assert.deepEqual(steps, [`synced: ${join(data, 'initial-password')}`, `synced: ${data}`, 'committed']);
});

test('if the password cannot be written no administrator is made, and the message names the mend', async (t) => {
  const data = join(await temporaryFolder(t), 'data');
  await writeFile(data, 'a file in place of the folder');
  const { store, made } = firstStart(data);
  await assert.rejects(made, (error) => {
    assert.ok(error instanceof SettingsFaulty);
    assert.match(error.message, /^- TESSERA_DATA: .*TESSERA_ADMIN_PASSWORD_FILE$/m);
    return true;
  });
  assert.equal(await store.read((unit) => unit.users.count()), 0);
});
