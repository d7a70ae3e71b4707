import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../../../engines/memory/open.ts';
import { PASSWORD, startTestService, temporaryFolder } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';
import { NOBODY_WAITS } from '../../http/scenario.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const WEAK = 'passwordpassword';

/** A service whose clock stands still, with these users. Returns what changes the own password of one. */
async function changing(t: TestContext, ...names: readonly string[]) {
  const service = await startTestService(t, NOBODY_WAITS, openMemory);
  for (const name of names) await service.addUser(name);
  const tickets = new Map<string, string>();
  for (const name of names) tickets.set(name, await logIn(service.url, name));
  service.stopClock();
  const change = (name: string, newpw: string, spelling = name) =>
    ask(`${service.url}/api/person/changepassword/${spelling}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tickets.get(name)}` },
      body: JSON.stringify({ oldpw: PASSWORD, newpw }),
    });
  return { service, change };
}

test('a user who sends new passwords without end has to wait, and no other user has', async (t) => {
  const { service, change } = await changing(t, 'mallory', 'alice');
  const statuses: number[] = [];
  for (let at = 0; at < 21; at += 1) statuses.push((await change('mallory', WEAK)).status);
  assert.deepEqual(statuses.slice(0, 20), Array(20).fill(400));
  assert.equal(statuses[20], 503);
  const { status, headers } = await change('mallory', 'a long quiet river', 'MALLORY');
  assert.equal(status, 503);
  assert.equal(headers.get('retry-after'), '1');
  assert.ok(service.lines.some((line) => line.includes('too many new passwords of this user')));
  assert.equal((await change('alice', 'a long quiet river')).status, 200);
  service.shiftClock(500);
  assert.equal((await change('mallory', 'a long quiet river')).status, 200);
});

test('an administrator sets the passwords of many users one after the other', async (t) => {
  const { service } = await changing(t);
  const headers = { authorization: `Bearer ${await logIn(service.url)}` };
  for (let at = 0; at < 25; at += 1) {
    const body = JSON.stringify({ userName: `user-${at}`, password: 'a long quiet river' });
    const { status } = await ask(`${service.url}/api/admin/users`, { method: 'POST', headers, body });
    assert.equal(status, 201);
  }
});

/** Starts a service that has a user, changes the user's password, and prints what the main thread loaded to judge it. */
const SCRIPT = `
import { registerHooks } from 'node:module';
const loaded = new Set();
registerHooks({ resolve: (name, context, next) => { const found = next(name, context); loaded.add(found.url); return found; } });
const { readSettings } = await import('./src/main/settings.ts');
const { startService } = await import('./src/main/main.ts');
const { openSqlite } = await import('./test/service/stores.ts');
const { newUser } = await import('./src/core/domain/user.ts');
const { hashPassword } = await import('./src/core/identity/password-hash.ts');
const { settings } = readSettings({ flags: {}, env: JSON.parse(process.env.GIVEN) });
const store = openSqlite(settings.data);
const passwordHash = await hashPassword('${PASSWORD}', { memory: 8, passes: 1, lanes: 1 });
await store.write(({ users }) => users.add(newUser('ann', { namesCaseSensitive: false, passwordHash })));
const service = await startService(settings, { onTerminal: false, store });
const send = (path, body, authorization) =>
  fetch(service.url + path, { method: 'POST', headers: { authorization }, body: JSON.stringify(body) });
const { data } = await (await send('/api/login', { username: 'ann', password: '${PASSWORD}' }, '')).json();
const change = (newpw) =>
  send('/api/person/changepassword/ann', { oldpw: '${PASSWORD}', newpw }, 'Bearer ' + data.ticket);
const statuses = [(await change('${WEAK}')).status, (await change('a long quiet river')).status];
await service.stop();
const estimator = [...loaded].filter((url) => url.includes('zxcvbn'));
process.stdout.write(JSON.stringify({ statuses, estimator }));
`;

test('the event loop judges no password: a thread loads the estimator, and ends with the service', async (t) => {
  const given = {
    TESSERA_PORT: '0',
    TESSERA_METRICS_PORT: '0',
    TESSERA_LOG_LEVEL: 'silent',
    TESSERA_HASH_MEMORY: '8',
    TESSERA_HASH_PASSES: '1',
    TESSERA_DATA: await temporaryFolder(t),
  };
  const said = execFileSync(join(ROOT, 'bin/node'), ['--input-type=module', '--eval', SCRIPT], {
    cwd: ROOT,
    env: { ...process.env, GIVEN: JSON.stringify(given) },
    encoding: 'utf8',
  });
  assert.deepEqual(JSON.parse(said), { statuses: [400, 200], estimator: [] });
});
