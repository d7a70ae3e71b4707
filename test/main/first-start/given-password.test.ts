import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, tesseraOn } from '../../faces/cli/command.ts';
import { PASSWORD, temporaryFolder } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { serve } from './serve.ts';

test('a given password is the administrator’s, and nothing secret is shown or written', async (t) => {
  const data = await temporaryFolder(t);
  const { url, told, log } = serve(t, { env: { TESSERA_DATA: data, TESSERA_ADMIN_PASSWORD: PASSWORD } });
  await logIn(await url, 'admin', PASSWORD);
  assert.match(told(), /^Made the administrator "admin" with the password that was given\.\n/);
  assert.ok(!`${told()}${log()}`.includes(PASSWORD));
  assert.ok(!(await readdir(data)).includes('initial-password'));
});

test('a given password can be in a file, which may be removed after the first start', async (t) => {
  const data = await temporaryFolder(t);
  const file = join(await temporaryFolder(t), 'password');
  await writeFile(file, `${PASSWORD}\n`);
  const env = { TESSERA_DATA: data, TESSERA_ADMIN_PASSWORD_FILE: file };
  const first = serve(t, { env });
  await logIn(await first.url, 'admin', PASSWORD);
  first.kill('SIGTERM');
  await first.ended;
  await rm(file);
  await logIn(await serve(t, { env }).url, 'admin', PASSWORD);
  assert.equal((await run('tessera', ['users', 'list'], { env })).code, 0);
});

test('a file of a given password that cannot be read is a fault of the settings while there is no user', async (t) => {
  const data = await temporaryFolder(t);
  const file = join(data, 'missing');
  const { ended, told } = serve(t, { env: { TESSERA_DATA: data, TESSERA_ADMIN_PASSWORD_FILE: file } });
  assert.equal(await ended, 2);
  assert.match(told(), /^- TESSERA_ADMIN_PASSWORD_FILE: the file cannot be read \(ENOENT\)/m);
  assert.equal(await tesseraOn(data)('users list --json'), '[]\n');
});

for (const [weakness, password, mend] of [
  ['a common', 'Password1', /one of the most common ones.*choose another/],
  ['a short', 'horse', /5 characters: choose one of 8 or more/],
] as const) {
  test(`${weakness} one is refused, and no administrator is made`, async (t) => {
    const data = await temporaryFolder(t);
    const { ended, told } = serve(t, { env: { TESSERA_DATA: data, TESSERA_ADMIN_PASSWORD: password } });
    assert.equal(await ended, 2);
    assert.match(told(), /^- TESSERA_ADMIN_PASSWORD: /m);
    assert.match(told(), mend);
    assert.ok(!told().includes(password));
    assert.equal(await tesseraOn(data)('users list --json'), '[]\n');
  });
}

test('one in a file that is refused is told by what named the file', async (t) => {
  const data = await temporaryFolder(t);
  const file = join(await temporaryFolder(t), 'password');
  await writeFile(file, 'horse\n');
  const { ended, told } = serve(t, { env: { TESSERA_DATA: data, TESSERA_ADMIN_PASSWORD_FILE: file } });
  assert.equal(await ended, 2);
  assert.match(told(), /^- TESSERA_ADMIN_PASSWORD_FILE: .*5 characters/m);
});

test('once there is a user, no administrator is made and a given password is not looked at', async (t) => {
  const data = await temporaryFolder(t);
  const tessera = tesseraOn(data);
  await tessera('users add ana --no-password');
  const { url, told } = serve(t, { env: { TESSERA_DATA: data, TESSERA_ADMIN_PASSWORD: 'weak' } });
  const base = await url;
  assert.equal(told(), `Tessera listens on ${base}\n`);
  assert.ok(!(await readdir(data)).includes('initial-password'));
  assert.deepEqual(
    JSON.parse(await tessera('users list --json')).map(({ name }: { name: string }) => name),
    ['ana'],
  );
});
