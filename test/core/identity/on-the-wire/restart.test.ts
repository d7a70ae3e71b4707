import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PASSWORD, startTestService, temporaryFolder } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';
import { ask, logIn } from '../../../service/talk.ts';
import { BEHIND_PROXY, fail, tryBy } from './trying.ts';

const HOME = '192.0.2.1';
const AWAY = '198.51.100.7';

/** Starts services one after another on the same folder. */
async function sameFolder(t: TestContext, env: Record<string, string> = {}) {
  const folder = await temporaryFolder(t);
  return (more: Record<string, string> = {}) =>
    startTestService(t, { ...BEHIND_PROXY, ...env, ...more, TESSERA_DATA: folder }, () => openSqlite(folder));
}

test('a wait survives a restart', async (t) => {
  const start = await sameFolder(t);
  const first = await start();
  for (let time = 0; time < 12; time += 1) {
    await fail(1, first.url, 'admin', HOME);
    if (time < 11) first.shiftClock(900_000);
  }
  await first.stop();
  const second = await start();
  second.shiftClock(11 * 900_000);
  const { status, retryAfter = 0 } = await tryBy('post', second.url, 'admin', PASSWORD, HOME);
  assert.equal(status, 403);
  assert.ok(retryAfter > 60 && retryAfter <= 128, String(retryAfter));
  assert.ok((await tryBy('post', second.url, 'admin', PASSWORD, AWAY)).letIn);
});

test('a count below its threshold survives a restart', async (t) => {
  const start = await sameFolder(t, { TESSERA_LOCKOUT_THRESHOLD: '4' });
  const first = await start();
  await fail(3, first.url, 'admin', HOME);
  await first.stop();
  const { url } = await start();
  await fail(1, url, 'admin', AWAY);
  assert.equal((await tryBy('post', url, 'admin', PASSWORD, AWAY)).status, 403);
});

test('a lock-out survives a restart, and so do the addresses that may end it', async (t) => {
  const start = await sameFolder(t, { TESSERA_LOCKOUT_THRESHOLD: '2' });
  const first = await start();
  assert.ok((await tryBy('post', first.url, 'admin', PASSWORD, HOME)).letIn);
  await fail(2, first.url, 'admin', AWAY);
  await first.stop();
  const { url } = await start();
  assert.equal((await tryBy('post', url, 'admin', PASSWORD, AWAY)).status, 403);
  assert.ok((await tryBy('post', url, 'admin', PASSWORD, HOME)).letIn);
});

test('after a change of the hash parameters the next login renews the hash, and tickets stay valid', async (t) => {
  const start = await sameFolder(t);
  const first = await start();
  const ticket = await logIn(first.url);
  await first.stop();
  const second = await start({ TESSERA_HASH_PASSES: '2' });
  const read = () => second.store.read((unit) => unit.users.findByKey('admin'));
  const before = await read();
  assert.ok((await tryBy('post', second.url, 'admin', PASSWORD)).letIn);
  const after = await read();
  assert.match(before?.passwordHash ?? '', /m=8,t=1,p=1/);
  assert.match(after?.passwordHash ?? '', /m=8,t=2,p=1/);
  assert.deepEqual({ ...after, passwordHash: '' }, { ...before, passwordHash: '' });
  const validated = await ask(`${second.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
  assert.equal(validated.status, 200);
});

test('parallel right logins all succeed while the first of them renews the hash', async (t) => {
  const start = await sameFolder(t);
  await (await start()).stop();
  const { url } = await start({ TESSERA_HASH_PASSES: '2' });
  const attempts = Array.from({ length: 12 }, (_, index) =>
    tryBy(index % 2 === 0 ? 'post' : 'basic', url, 'admin', PASSWORD),
  );
  assert.deepEqual(
    (await Promise.all(attempts)).filter(({ letIn }) => !letIn),
    [],
  );
});
