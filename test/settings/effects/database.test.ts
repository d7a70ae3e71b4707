import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../../crash/serve.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { temporaryFolder } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';

const test = await testsOnPostgres();

test('TESSERA_DATABASE is reached with TESSERA_DATABASE_PASSWORD, given as it is or in a file', async (t, server) => {
  const rules = join(server.data, 'pg_hba.conf');
  writeFileSync(rules, `host all tessera 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`);
  await server.ask(`CREATE ROLE tessera LOGIN SUPERUSER PASSWORD 'right'; SELECT pg_reload_conf()`);
  const data = await temporaryFolder(t);
  const [key, file] = [join(data, 'key'), join(data, 'password')];
  writeFileSync(key, '0'.repeat(64), { mode: 0o600 });
  writeFileSync(file, 'right\n');
  const url = (await server.freshDatabase()).replace('postgres@', 'tessera@');
  const settings = { TESSERA_DATABASE: url, TESSERA_THROTTLE_KEY_FILE: key };
  for (const password of [{ TESSERA_DATABASE_PASSWORD: 'right' }, { TESSERA_DATABASE_PASSWORD_FILE: file }])
    await logIn(await serve(t, data, { ...settings, ...password }).url);
  const wrong = await serve(t, data, { ...settings, TESSERA_DATABASE_PASSWORD: 'wrong-one' }).ended;
  assert.match(wrong.said, /password/);
  assert.ok(!wrong.said.includes('wrong-one'));
});
