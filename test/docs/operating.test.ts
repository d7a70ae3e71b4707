import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addUser } from '../core/storage/conformance/samples.ts';
import { serve } from '../crash/serve.ts';
import { shell } from '../faces/cli/command.ts';
import { compare } from '../faces/cli/transcript.ts';
import { testsOnPostgres } from '../service/postgres.ts';
import { ON_DISK, temporaryFolder } from '../service/start.ts';
import { openSqlite } from '../service/stores.ts';
import { ask, logIn } from '../service/talk.ts';
import { wellSetUp } from '../tools/doctor/examined.ts';
import { blocksIn, commandsOf, pageAt, serveAsPrinted } from './page.ts';

const testOnPostgres = await testsOnPostgres();

test('the page about the doctor shows what it prints for three settings, an open folder and no administrator', async (t) => {
  const data = join(await temporaryFolder(t, ON_DISK), 'data');
  mkdirSync(data);
  const store = openSqlite(data);
  await addUser(store, 'admin', { administrator: true, disabled: true });
  await store.close();
  chmodSync(data, 0o755);
  const page = pageAt('how-to/doctor.md');
  const [command = ''] = blocksIn(page, 'sh');
  const [printed = ''] = blocksIn(page, 'text');
  const settings = { TESSERA_HOSTS: 'tickets.example.org', TESSERA_TRUSTED_PROXIES: '127.0.0.1' };
  const ended = await shell(commandsOf(command), {
    env: { TESSERA_DATA: data, TESSERA_HASH_MEMORY: '', TESSERA_HASH_PASSES: '', ...settings },
  });
  const output = printed.replaceAll('/var/lib/tessera', data).replace(/^(\d+ fault.*)\n$/m, '! $1\n? 1');
  compare({ command, stdin: '', expected: output }, ended);
});

test('the page about passwords shows what the doctor says of the cost of a check', async (t) => {
  const page = pageAt('how-to/passwords.md').split('## Set the cost of a check')[1] ?? '';
  const [command = ''] = blocksIn(page, 'sh');
  const [printed = ''] = blocksIn(page, 'text');
  const { env } = await wellSetUp(t);
  const set = { TESSERA_HASH_MEMORY: '', TESSERA_HASH_PASSES: '' };
  const ended = await shell(commandsOf(command), { env: { ...env, ...set } });
  const expected = printed.replace(/\d+(?= (?:logins|ms while|run|would))/g, '<number>').concat('? 0');
  compare({ command, stdin: '', expected }, ended);
});

test('the page about secrets: the first administrator keeps the new password, and is asked for no other', async (t) => {
  const data = await temporaryFolder(t);
  const service = serve(t, data);
  const url = await service.url;
  const [, command = ''] =
    /`(bin\/tessera users passwd admin[^`]*)`/.exec(pageAt('how-to/change-secrets.md')) ?? [];
  const changed = await shell(`${commandsOf(command)} --password-stdin`, {
    stdin: 'a wide silent valley\n',
    env: { TESSERA_DATA: data },
  });
  assert.equal(changed.code, 0, changed.stderr);
  await logIn(url, 'admin', 'a wide silent valley');
  const { stdout } = await shell('tessera users show admin', { env: { TESSERA_DATA: data } });
  assert.match(stdout, /administrator/);
  assert.doesNotMatch(stdout, /change/);
});

testOnPostgres(
  'the page about moving to PostgreSQL: its commands copy the store and start the service on the copy',
  async (t, server) => {
    const folder = await temporaryFolder(t);
    const [data, etc] = [join(folder, 'data'), join(folder, 'etc')];
    mkdirSync(etc);
    const first = serve(t, data);
    const ticket = await logIn(await first.url);
    const database = await server.freshDatabase();
    const here = (block: string) =>
      block.replaceAll('/etc/tessera', etc).replaceAll('postgres://tessera@db.example.org/tessera', database);
    const [secret = '', copying = '', starting = ''] = blocksIn(pageAt('how-to/move-to-postgresql.md'), 'sh');
    const run = (block: string) => shell(`set -e\n${commandsOf(here(block))}`, { cwd: folder });
    assert.equal((await run(secret)).code, 0);
    assert.equal(statSync(join(etc, 'db-password')).mode & 0o077, 0);
    const early = await run(copying);
    assert.equal(early.code, 1);
    assert.match(early.stderr, /^Not finished/);
    first.kill('SIGTERM');
    assert.equal((await first.ended).code, 0);
    const whole = await run(copying);
    assert.equal(whole.code, 0, whole.stderr);
    const url = await serveAsPrinted(t, here(starting), folder);
    const { status } = await ask(`${url}/alfresco/service/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
    assert.equal(status, 200);
  },
);
