import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { serve } from '../../../crash/serve.ts';
import { type Postgres, testsOnOwnPostgres } from '../../../service/postgres.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';
import { eventually, until } from '../../../service/until.ts';

const test = await testsOnOwnPostgres();

/** Settings for a new database and a user with this name, who needs a password. */
async function settingsFor(t: TestContext, server: Postgres, name: string) {
  const rules = join(server.data, 'pg_hba.conf');
  writeFileSync(rules, `host all ${name} 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`);
  await server.ask(`CREATE ROLE ${name} LOGIN SUPERUSER PASSWORD 'right'; SELECT pg_reload_conf()`);
  const data = await temporaryFolder(t);
  const [key, file] = [join(data, 'key'), join(data, 'password')];
  writeFileSync(key, '0'.repeat(64), { mode: 0o600 });
  writeFileSync(file, 'right\n');
  const url = (await server.freshDatabase()).replace('postgres@', `${name}@`);
  return { data, file, settings: { TESSERA_DATABASE: url, TESSERA_THROTTLE_KEY_FILE: key } };
}

test('TESSERA_DATABASE is reached with TESSERA_DATABASE_PASSWORD, given as it is or in a file', async (t, server) => {
  const { data, file, settings } = await settingsFor(t, server, 'tessera');
  for (const password of [{ TESSERA_DATABASE_PASSWORD: 'right' }, { TESSERA_DATABASE_PASSWORD_FILE: file }])
    await logIn(await serve(t, data, { ...settings, ...password }).url);
  const wrong = await serve(t, data, { ...settings, TESSERA_DATABASE_PASSWORD: 'wrong-one' }).ended;
  assert.match(wrong.said, /password/);
  assert.ok(!wrong.said.includes('wrong-one'));
});

test('a password that was changed in the database and its file is the one of the next connection', async (t, server) => {
  const { data, file, settings } = await settingsFor(t, server, 'changing');
  let log = '';
  const url = await serve(
    t,
    data,
    { ...settings, TESSERA_DATABASE_PASSWORD_FILE: file, TESSERA_LOG_LEVEL: 'error' },
    (text) => {
      log += text;
    },
  ).url;
  const cutOff = () =>
    server.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'changing'`);
  await logIn(url);
  await server.ask(`ALTER ROLE changing PASSWORD 'changed'`);
  writeFileSync(file, 'changed\n');
  await cutOff();
  await eventually(() => logIn(url));

  rmSync(file);
  await cutOff();
  await until('the missing file is told', async () => {
    await logIn(url).catch(() => undefined);
    return log.includes('TESSERA_DATABASE_PASSWORD_FILE: the file cannot be read (ENOENT)');
  });
  assert.ok(!log.includes('changed'));
  writeFileSync(file, 'changed\n');
  await eventually(() => logIn(url));
});
