import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Ended, run } from '../faces/cli/command.ts';
import { testsOnPostgres } from '../service/postgres.ts';
import { temporaryFolder } from '../service/start.ts';
import { serve } from './first-start/serve.ts';

const UNUSABLE: readonly [name: string, make: (file: string) => Promise<unknown>, why: RegExp][] = [
  ['a file without a key', (file) => writeFile(file, 'change-me'), /it holds no key: .*write 64 hex digits/],
  ['a folder', (file) => mkdir(file), /cannot be used: it is a folder: name the file in it$/m],
];
for (const [name, make, why] of UNUSABLE) {
  test(`${name} as the throttle key is a fault of the settings, in one sentence`, async (t) => {
    const file = join(await temporaryFolder(t), 'key');
    await make(file);
    const env = { TESSERA_DATA: await temporaryFolder(t), TESSERA_THROTTLE_KEY_FILE: file };
    const { ended, told } = serve(t, { env });
    assert.equal(await ended, 2);
    assert.ok(told().includes(`- TESSERA_THROTTLE_KEY_FILE: ${file} cannot be used: `), told());
    assert.match(told(), why);
    assert.doesNotMatch(told(), /change-me|\n {4}at /);
  });
}

const testOnPostgres = await testsOnPostgres();

testOnPostgres(
  'an instance on a database makes no key, and does not start without one',
  async (t, server) => {
    const folder = await temporaryFolder(t);
    const file = join(folder, 'key');
    const env = {
      TESSERA_DATA: folder,
      TESSERA_DATABASE: await server.freshSchema(),
      TESSERA_THROTTLE_KEY_FILE: file,
    };
    const { ended, told } = serve(t, { env });
    assert.equal(await ended, 2);
    assert.match(told(), /key cannot be used: there is no such file: copy that of the other instances, or/);
    assert.deepEqual(await readdir(folder), []);
  },
);

/** Locks a user, and runs a command without the key to unlock the user. */
async function unlockedWithoutKey(t: TestContext, settings: Record<string, string> = {}): Promise<Ended> {
  const data = await temporaryFolder(t);
  const env = { TESSERA_DATA: data, TESSERA_THROTTLE_KEY_FILE: join(data, 'key'), ...settings };
  const tessera = (words: string) => run('tessera', words.split(' '), { env });
  for (const words of ['users add ana --no-password', 'users lock ana'])
    assert.equal((await tessera(words)).code, 0);
  const unlocked = await tessera('users unlock ana');
  assert.match((await tessera('users list')).stdout, /^ana .* locked /m);
  assert.ok(!existsSync(env.TESSERA_THROTTLE_KEY_FILE));
  return unlocked;
}

test('a command makes no key, either: users unlock without it changes nothing', async (t) => {
  const { code, stderr } = await unlockedWithoutKey(t);
  assert.equal(code, 2);
  assert.match(stderr, /key cannot be used: there is no such file: name the one of the service, or start/);
});

testOnPostgres('nor does a command on a database', async (t, server) => {
  const { code, stderr } = await unlockedWithoutKey(t, { TESSERA_DATABASE: await server.freshSchema() });
  assert.equal(code, 2);
  assert.match(stderr, /key cannot be used: there is no such file: copy that of the other instances, or/);
});
