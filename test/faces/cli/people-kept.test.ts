import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as onMachine } from 'node:test';
import { testsOnPostgres } from '../../service/postgres.ts';
import { PASSWORD, temporaryFolder } from '../../service/start.ts';
import { shell, tesseraOn } from './command.ts';

const test = await testsOnPostgres();

/** Fills a data folder with users, profiles, roles, nested groups and API keys. */
async function fill(data: string): Promise<void> {
  const tessera = tesseraOn(data);
  await tessera('users add ann --password-stdin --role operator --first-name Ann', `${PASSWORD}\n`);
  await tessera('users add ben --no-password --email ben@example.org');
  await tessera('groups add staff --display-name Everybody --role auditor');
  await tessera('groups add inner');
  await tessera('groups join staff --group inner');
  await tessera('groups join inner ann ben');
  await tessera('api-keys add deploy --role operator --expires 2099-12-31');
}

const SHOWN = [
  'users export',
  'groups show inner',
  'users show ann',
  'api-keys list --json',
  'events --json',
];

/** What commands show of a store whose place the environment says. */
async function shownBy(env: Readonly<Record<string, string>>): Promise<string[]> {
  const shown: string[] = [];
  for (const words of SHOWN) {
    const { stdout, stderr, code } = await shell(`tessera ${words}`, { env });
    assert.equal(code, 0, stderr);
    shown.push(stdout);
  }
  assert.match(shown.join(''), /inherited groups +staff[\s\S]*"name":"deploy"[\s\S]*"group-joined"/);
  return shown;
}

onMachine('a backup keeps profiles, groups, roles and API keys, and who did what', async (t) => {
  const [data, folder] = [await temporaryFolder(t), await temporaryFolder(t)];
  const [file, restored] = [join(folder, 'saved.db'), join(folder, 'restored')];
  await fill(data);
  const before = await shownBy({ TESSERA_DATA: data });
  await tesseraOn(data)(`backup '${file}'`);
  await tesseraOn(restored)(`restore '${file}' --keep-tickets`);
  assert.deepEqual(await shownBy({ TESSERA_DATA: restored }), before);
});

test('a copy to PostgreSQL and back keeps profiles, groups, roles and API keys, and who did what', async (t, server) => {
  const [data, back] = [join(await temporaryFolder(t), 'data'), join(await temporaryFolder(t), 'back')];
  const database = await server.freshDatabase();
  await fill(data);
  const before = await shownBy({ TESSERA_DATA: data });
  const copy = (from: string, to: string) => tesseraOn(data)(`copy --from '${from}' --to '${to}'`);
  await copy(`sqlite:${data}`, database);
  const key = join(data, 'key');
  writeFileSync(key, 'ab'.repeat(32));
  const there = { TESSERA_DATA: data, TESSERA_DATABASE: database, TESSERA_THROTTLE_KEY_FILE: key };
  assert.deepEqual(await shownBy(there), before);
  await copy(database, `sqlite:${back}`);
  assert.deepEqual(await shownBy({ TESSERA_DATA: back }), before);
});
