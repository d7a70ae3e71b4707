import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../../main/first-start/serve.ts';
import { PASSWORD, temporaryFolder } from '../../service/start.ts';
import { run } from './command.ts';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();

test('TESSERA_BREACHED_PASSWORDS refuses breached passwords, and every password once it cannot be read', async (t) => {
  const data = await temporaryFolder(t);
  const file = join(await temporaryFolder(t), 'breached.txt');
  const hashes = [PASSWORD, 'another river of stones', 'hunter2hunter2'].map(sha1).sort();
  writeFileSync(file, hashes.map((hash) => `${hash}:7\r\n`).join(''));
  const env = { TESSERA_DATA: data, TESSERA_BREACHED_PASSWORDS: file };
  const users = (words: string, stdin: string, more: readonly string[] = []) =>
    run('tessera', ['users', ...words.split(' '), '--password-stdin', ...more], { env, stdin });

  const refused = await users('add ana', PASSWORD);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^Refused: the password was breached somewhere.*choose another\.\n$/);
  assert.equal((await users('add ana', 'a long quiet river')).stdout, 'Added "ana".\n');
  assert.match((await users('passwd ana', PASSWORD)).stderr, /was breached/);

  const started = serve(t, {
    env: { ...env, TESSERA_DATA: await temporaryFolder(t), TESSERA_ADMIN_PASSWORD: PASSWORD },
  });
  assert.equal(await started.ended, 2);
  assert.match(started.told(), /^- TESSERA_ADMIN_PASSWORD: the password was breached/m);

  rmSync(file);
  const unknown = await users('passwd ana', 'another quiet river');
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /cannot be looked up in .*breached\.txt: there is no such file: name one/);
  assert.match(
    (await users('passwd ana', 'another quiet river', ['--breached-passwords', ''])).stdout,
    /^Changed/,
  );
});

test('no service starts with a file of breached passwords that cannot be used', async (t) => {
  const env = { TESSERA_DATA: await temporaryFolder(t), TESSERA_BREACHED_PASSWORDS: '/nowhere/breached.txt' };
  const { ended, told } = serve(t, { env });
  assert.equal(await ended, 2);
  assert.match(
    told(),
    /^- TESSERA_BREACHED_PASSWORDS: \/nowhere\/breached\.txt: there is no such file: name one/m,
  );
  const workers = serve(t, { env: { ...env, TESSERA_WORKERS: '2' } });
  assert.equal(await workers.ended, 2);
  assert.match(workers.told(), /TESSERA_BREACHED_PASSWORDS: .*there is no such file/);
});
