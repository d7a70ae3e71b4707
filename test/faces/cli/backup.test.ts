import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { databaseIn } from '../../../src/engines/sqlite/data-folder.ts';
import { manyTickets } from '../../capabilities/migration/commands/copying.ts';
import { serve } from '../../crash/serve.ts';
import { temporaryFolder } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';
import { BIN, environment, tesseraOn } from './command.ts';

const validated = async (url: string, ticket: string) =>
  (await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`)).status;

test('while the service serves, a backup has every login that was answered before it, and stops none', async (t) => {
  const [data, folder] = [await temporaryFolder(t), await temporaryFolder(t)];
  const file = join(folder, 'saved.db');
  const service = serve(t, data);
  const url = await service.url;
  const before = [await logIn(url), await logIn(url), await logIn(url)];
  let going = true;
  const backup = tesseraOn(data)(`backup '${file}'`).finally(() => {
    going = false;
  });
  const meanwhile: string[] = [];
  while (going) meanwhile.push(await logIn(url));
  assert.match(await backup, /^Wrote .* and checked it/);
  assert.ok(meanwhile.length > 0);
  for (const ticket of [...before, ...meanwhile]) assert.equal(await validated(url, ticket), 200);

  await assert.rejects(
    tesseraOn(data)(`restore '${file}' --replace`),
    /has its database open: stop the service first/,
  );
  const restored = join(folder, 'restored');
  await tesseraOn(restored)(`restore '${file}' --keep-tickets`);
  const second = serve(t, restored);
  for (const ticket of before) assert.equal(await validated(await second.url, ticket), 200);
  second.kill('SIGTERM');
  assert.equal((await second.ended).code, 0);
  await tesseraOn(restored)(`restore '${file}' --replace`);
  const third = serve(t, restored);
  for (const ticket of before) assert.equal(await validated(await third.url, ticket), 401);
});

const CUT_OFF = new URL('cut-off-backup.ts', import.meta.url);

/** Sends the command a signal in the middle of its copy. Throws if the command ends in another way. */
async function cutOff(words: readonly string[], data: string, by: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const env = environment({ TESSERA_DATA: data, NODE_OPTIONS: `--import=${CUT_OFF}`, CUT_OFF_BY: by });
  const child = spawn(`${BIN}/tessera`, words, { env, stdio: 'ignore' });
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, by, 'it ended before it could be cut off');
}

const isRestoring = (data: string) => readdirSync(data).some((name) => name.includes('.restore-'));

test('a killed backup or restore leaves no incomplete file in place of a complete one', async (t) => {
  const [data, folder] = [await temporaryFolder(t), await temporaryFolder(t)];
  const file = join(folder, 'saved.db');
  await manyTickets(data, 20_000);
  await cutOff(['backup', file], data);
  assert.notDeepEqual(readdirSync(folder), [], 'it was in the middle of its work');
  assert.ok(!existsSync(file));
  await tesseraOn(data)(`backup '${file}'`);
  const before = readFileSync(databaseIn(data));
  await cutOff(['restore', file, '--replace'], data);
  assert.ok(isRestoring(data), 'it was in the middle of its work');
  assert.ok(readFileSync(databaseIn(data)).equals(before));
  await tesseraOn(data)(`restore '${file}' --replace`);
  assert.equal(JSON.parse(await tesseraOn(data)('users list --json')).length, 1);
  assert.ok(!isRestoring(data), 'what the one that was killed left is gone');
});

test('an interrupted backup or restore leaves nothing of the database behind', async (t) => {
  const [data, folder] = [await temporaryFolder(t), await temporaryFolder(t)];
  const file = join(folder, 'saved.db');
  await manyTickets(data, 20_000);
  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    await cutOff(['backup', file], data, signal);
    assert.deepEqual(readdirSync(folder), []);
  }
  await tesseraOn(data)(`backup '${file}'`);
  await cutOff(['restore', file, '--replace'], data, 'SIGTERM');
  assert.ok(!isRestoring(data));
});
