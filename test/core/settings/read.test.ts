import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readSettings } from '../../../src/main/settings.ts';
import { temporaryFolder } from '../../service/start.ts';

/** Writes a settings file with this content, and returns its path. */
async function fileOf(t: TestContext, content: unknown): Promise<string> {
  const file = join(await temporaryFolder(t), 'settings.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}

test('a flag comes before the environment, the environment before the file, the file before the default', async (t) => {
  const file = await fileOf(t, { port: 1, metricsPort: 2, ticketsPerUser: 3 });
  const env = { TESSERA_PORT: '4', TESSERA_METRICS_PORT: '5' };
  const { settings, inEffect } = readSettings({ flags: { port: '6' }, env, file });
  const { port, metricsPort, ticketsPerUser, throttleAfter } = settings;
  assert.deepEqual([port, metricsPort, ticketsPerUser, throttleAfter], [6, 5, 3, 5]);
  const from = Object.fromEntries(inEffect.map((setting) => [setting.key, setting.from]));
  assert.equal(from.port, '--port');
  assert.equal(from.metricsPort, 'TESSERA_METRICS_PORT');
  assert.equal(from.ticketsPerUser, '"ticketsPerUser" in the settings file');
  assert.equal(from.throttleAfter, 'default');
});

test('an empty variable counts as not given', async (t) => {
  const file = await fileOf(t, { port: 1 });
  const env = { TESSERA_PORT: '', TESSERA_HOST: '', TESSERA_ADMIN_PASSWORD: '', TESSERA_CONFIG: '' };
  const { settings } = readSettings({ flags: {}, env, file });
  assert.deepEqual([settings.port, settings.host, settings.adminPassword], [1, '127.0.0.1', undefined]);
});

test('the file may be named in the environment, and a flag comes before that too', async (t) => {
  const env = { TESSERA_CONFIG: await fileOf(t, { port: 1 }) };
  assert.equal(readSettings({ flags: {}, env }).settings.port, 1);
  const file = await fileOf(t, { port: 2 });
  assert.equal(readSettings({ flags: {}, env, file }).settings.port, 2);
});

test('the file holds texts, numbers, booleans and lists', async (t) => {
  const file = await fileOf(t, {
    host: '::1',
    port: 0,
    loginGet: false,
    basePaths: ['/s', '/'],
    trustedProxies: [],
    allowedOrigins: 'https://a.example.org,https://b.example.org',
  });
  const { settings } = readSettings({ flags: {}, env: {}, file });
  const { host, port, loginGet, basePaths, trustedProxies, allowedOrigins } = settings;
  assert.deepEqual([host, port, loginGet], ['::1', 0, false]);
  assert.deepEqual([basePaths, trustedProxies], [['/s', ''], []]);
  assert.deepEqual(allowedOrigins, ['https://a.example.org', 'https://b.example.org']);
});

test('an empty address to listen on is refused, since it would open the service to every network', async (t) => {
  const file = await fileOf(t, { metricsHost: '' });
  const named = (variable: RegExp) => ({ name: 'SettingsFaulty', message: variable });
  assert.throws(() => readSettings({ flags: { host: '' }, env: {} }), named(/--host: /));
  assert.throws(
    () => readSettings({ flags: {}, env: {}, file }),
    named(/"metricsHost" in the settings file: /),
  );
});

test('an empty list of base paths is refused, since no operation would answer', async (t) => {
  const file = await fileOf(t, { basePaths: [] });
  for (const sources of [{ file, env: {} }, { env: { TESSERA_BASE_PATHS: ',' } }])
    assert.throws(() => readSettings({ flags: {}, ...sources }), {
      name: 'SettingsFaulty',
      message: /base ?path/i,
    });
});
