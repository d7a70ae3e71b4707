import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { backUpSqlite } from '../../../src/engines/sqlite/backup.ts';
import { restoreSqlite } from '../../../src/engines/sqlite/restore.ts';
import { NOW } from '../../core/storage/conformance/samples.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';

const LONG = 'a'.repeat(300);
/** A name that is not too long, unlike that of the draft beside it. */
const NEARLY_LONG = 'a'.repeat(240);

/** A folder with a link to nothing, one that leads back to itself, a folder and a file. */
async function withPitfalls(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  symlinkSync('nowhere', join(folder, 'lost'));
  symlinkSync('circle', join(folder, 'circle'));
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'file'), 'mine');
  return folder;
}

async function refusesEach(
  folder: string,
  faults: Readonly<Record<string, string>>,
  act: (file: string) => Promise<unknown>,
): Promise<void> {
  const before = readdirSync(folder);
  for (const [name, why] of Object.entries(faults)) {
    const file = join(folder, name);
    const message = `cannot use the file ${file}: ${why}`;
    await assert.rejects(act(file), { name: 'StoreUnavailable', message });
    assert.deepEqual(readdirSync(folder), before);
  }
}

test('a backup to where none can be written is refused with the mend, and leaves nothing there', async (t) => {
  const [data, folder] = [await temporaryFolder(t), await withPitfalls(t)];
  await openSqlite(data).close();
  const faults = {
    lost: 'it is there already, as a link that leads nowhere: name another one',
    circle: 'it is there already, as a link that leads nowhere: name another one',
    folder: 'it is there already: name another one',
    file: 'it is there already: name another one',
    'file/saved.db': 'a folder above it is a file: name another one',
    'circle/saved.db': 'it, or a folder above it, is a link that leads back to itself: name another one',
    'nowhere/saved.db': 'the database file cannot be opened: check that its folder exists and is writable',
    [LONG]: 'its path is too long: name a shorter one',
    [NEARLY_LONG]: 'its path is too long: name a shorter one',
  };
  await refusesEach(folder, faults, (file) => backUpSqlite(data, file, () => undefined));
});

test('what appears where a backup is to be, while that is written, is told as that and stays', async (t) => {
  const [data, folder] = [await temporaryFolder(t), await temporaryFolder(t)];
  await openSqlite(data).close();
  const file = join(folder, 'saved.db');
  const meanwhile = (share: number) => {
    if (share === 1) writeFileSync(file, 'mine');
  };
  await assert.rejects(backUpSqlite(data, file, meanwhile), {
    message: `cannot use the file ${file}: it is there already: name another one`,
  });
  assert.deepEqual(readdirSync(folder), ['saved.db']);
});

test('what cannot be a backup is refused with the mend', async (t) => {
  const [data, folder] = [await temporaryFolder(t), await withPitfalls(t)];
  const faults = {
    circle: 'it, or a folder above it, is a link that leads back to itself: name another one',
    folder: 'it is a folder: name the backup in it',
    'file/saved.db': 'a folder above it is a file: name another one',
    [LONG]: 'its path is too long: name a shorter one',
  };
  const how = { replace: false, keepTickets: false, actor: 'root', now: NOW };
  await refusesEach(folder, faults, (file) => restoreSqlite(data, file, how, () => undefined));
  assert.deepEqual(readdirSync(data), []);
});
