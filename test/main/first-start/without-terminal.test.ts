import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { shell, tesseraOn } from '../../faces/cli/command.ts';
import { temporaryFolder } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { curlLine, serve, TICKET_ANSWER } from './serve.ts';

test('without a terminal the password is in a file for the operator alone, and nowhere else', async (t) => {
  const cwd = await temporaryFolder(t);
  const { url, told, log } = serve(t, { cwd });
  const base = await url;
  const file = join(cwd, 'data/initial-password');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(join(cwd, 'data'))).mode & 0o777, 0o700);

  const password = (await readFile(file, 'utf8')).trimEnd();
  assert.match(password, /^[\w-]{24}$/, '144 bits');
  assert.ok(!told().includes(password));
  assert.ok(!log().includes(password));
  assert.match(told(), /Its password is in \/.*data\/initial-password$/m);
  await logIn(base, 'admin', password);
  assert.match(await tesseraOn(join(cwd, 'data'))('users list'), /^admin +true +active +true +\S+Z$/m);
});

test('the curl line that is printed gives a ticket, in whatever folder it is run', async (t) => {
  const cwd = await temporaryFolder(t);
  const { url, told } = serve(t, { cwd });
  await url;
  const line = curlLine(told());
  assert.match(line, /\$\(cat .*initial-password/);
  for (const folder of [cwd, '/']) assert.match((await shell(line, { cwd: folder })).stdout, TICKET_ANSWER);
});

test('the curl line can be run as it is when the data folder has a name that a shell could misread', async (t) => {
  const data = join(await temporaryFolder(t), 'ana\'s "data" $(pwd) `pwd` & more');
  const { url, told } = serve(t, { env: { TESSERA_DATA: data } });
  await url;
  assert.match((await shell(curlLine(told()))).stdout, TICKET_ANSWER);
});

test('the curl line asks below the first base path, and an older file of that name is replaced', async (t) => {
  const data = await temporaryFolder(t);
  await writeFile(join(data, 'initial-password'), 'an older one\n', { mode: 0o644 });
  const { url, told } = serve(t, { env: { TESSERA_DATA: data, TESSERA_BASE_PATHS: '/tickets' } });
  const base = await url;
  assert.ok(curlLine(told()).includes(`${base}/tickets/api/login`));
  assert.equal((await stat(join(data, 'initial-password'))).mode & 0o777, 0o600);
  assert.match((await shell(curlLine(told()))).stdout, TICKET_ANSWER);
});

test('an administrator is made once: later starts tell nothing, and the password stays', async (t) => {
  const data = await temporaryFolder(t);
  const first = serve(t, { env: { TESSERA_DATA: data } });
  await first.url;
  const password = (await readFile(join(data, 'initial-password'), 'utf8')).trimEnd();
  first.kill('SIGTERM');
  assert.equal(await first.ended, 0);

  const second = serve(t, { env: { TESSERA_DATA: data } });
  const base = await second.url;
  assert.equal(second.told(), `Tessera listens on ${base}\n`);
  await logIn(base, 'admin', password);
});
