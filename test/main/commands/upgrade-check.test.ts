import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { lookInto } from '../../../src/engines/sqlite/data-folder.ts';
import { ourVersion } from '../../../src/engines/sqlite/migrate.ts';
import { smallDisk } from '../../engines/sqlite/disk.ts';
import { run } from '../../faces/cli/command.ts';
import { temporaryFolder } from '../../service/start.ts';
import { readStore, versionsOf } from '../../upgrades/old-store.ts';
import { fillSqlite } from '../../upgrades/rows.ts';

const OLD = versionsOf('sqlite').at(-1) as number;
const KEPT = `tessera.db.schema-${OLD}`;
const versionIn = (folder: string, name = 'tessera.db') => lookInto(join(folder, name), ourVersion);

/** The command line on a data folder of the schema before this version's. */
async function onOlder(t: TestContext, folder?: string) {
  const data = folder ?? (await temporaryFolder(t));
  fillSqlite(data, readStore('sqlite', OLD));
  const tessera = (words: readonly string[], env = {}) =>
    run('tessera', words, { cwd: data, env: { TESSERA_DATA: data, ...env } });
  return { data, tessera };
}

test('tessera upgrade-check migrates a copy, tells how long that took, and leaves the data as it is', async (t) => {
  const { data, tessera } = await onOlder(t);
  const [files, bytes] = [readdirSync(data), readFileSync(join(data, 'tessera.db'))];
  const { stdout, stderr, code } = await tessera(['upgrade-check']);
  assert.deepEqual([stderr, code], ['', 0]);
  const lines = stdout.split('\n');
  assert.match(lines[0] ?? '', new RegExp(`^This version migrates: 00${OLD + 1}\\.$`));
  assert.match(lines[1] ?? '', /^On a copy of this data that took \d+\.\d s\./);
  assert.match(lines[3] ?? '', new RegExp(`tessera restore .*/${KEPT} --replace$`));
  assert.deepEqual(readdirSync(data), files);
  assert.deepEqual(readFileSync(join(data, 'tessera.db')), bytes);
});

test('a migration keeps the database as it was before, once for each schema, and says where', async (t) => {
  const { data, tessera } = await onOlder(t);
  const { stdout, stderr } = await tessera(['migrate', 'up']);
  assert.match(stdout, /^Migrated: 00/);
  assert.match(stderr, new RegExp(`is kept as .*/${KEPT}, with its password hashes`));
  assert.deepEqual([versionIn(data), versionIn(data, KEPT)], [OLD + 1, OLD]);
  const [again, checked] = [await tessera(['migrate', 'up']), await tessera(['upgrade-check'])];
  assert.deepEqual([again.stdout, again.stderr], ['Nothing was to be done.\n', '']);
  assert.match(checked.stdout, /^Nothing is to be migrated/);

  const { data: other, tessera: without } = await onOlder(t);
  await without(['migrate', 'up'], { TESSERA_MIGRATION_COPY: 'false' });
  assert.deepEqual([versionIn(other), existsSync(join(other, KEPT))], [OLD + 1, false]);
});

test('nothing is migrated where the disk has no room for the copy', async (t) => {
  const disk = smallDisk(t, 1_024);
  if (disk === undefined) return;
  const { data, tessera } = await onOlder(t, disk.place);
  const { bavail, bsize } = statfsSync(data);
  // What is left is less than the database.
  writeFileSync(join(data, 'other'), Buffer.alloc((bavail - 8) * bsize));
  assert.match((await tessera(['upgrade-check'])).stderr, /^a trial takes twice the size of the database/);
  const { stdout, stderr, code } = await tessera(['migrate', 'up']);
  assert.deepEqual([stdout, code], ['', 1]);
  assert.match(stderr, /tessera\.db\.schema-\d+\.part-\w+: the disk is full: free some space\n$/);
  assert.deepEqual([versionIn(data), readdirSync(data)], [OLD, ['other', 'tessera.db']]);
});
