// First of all, so that what is imported below it hashes through the count.
import '../counted-hashes.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNTIL_UNLOCKED } from '../../../src/domain/user.ts';
import { hashPassword } from '../../../src/identity/password-hash.ts';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';
import type { UserChange } from '../../../src/storage/store.ts';
import { afterwards } from '../../service/afterwards.ts';
import { PASSWORD, startTestService, type TestService, temporaryFolder } from '../../service/start.ts';
import { hashes } from '../counted-hashes.ts';
import { failUntilWaiting, tryBy } from './trying.ts';

const CHEAP = { memory: 8, passes: 1, lanes: 1 };

/** How many hashes `work` costs. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  hashes.length = 0;
  await work();
  return hashes.length;
}

const call = ({ url }: TestService, password = PASSWORD) => tryBy('basic', url, 'ann', password);

async function withAnn(t: Parameters<typeof startTestService>[0], env: Record<string, string> = {}) {
  const service = await startTestService(t, env);
  await service.addUser('ann');
  const change = (changed: UserChange) =>
    service.store.write(async (unit) =>
      unit.users.change((await unit.users.findByKey('ann'))?.id ?? 0, changed),
    );
  return { service, change };
}

test('a user and password on each request cost one hash, and the requests leave no ticket behind', async (t) => {
  const { service } = await withAnn(t);
  const cost = await costOf(async () => {
    for (let time = 0; time < 20; time += 1) assert.ok((await call(service)).letIn);
  });
  assert.equal(cost, 1);
  assert.deepEqual(await service.store.read((unit) => unit.tickets.page(undefined, 10)), []);
});

test('in use all the time, a pair costs another hash each minute', async (t) => {
  const { service } = await withAnn(t);
  const cost = await costOf(async () => {
    for (let time = 0; time < 12; time += 1) {
      assert.ok((await call(service)).letIn);
      service.shiftClock(20_000);
    }
  });
  assert.equal(cost, 4);
});

test('a login costs its hash beside a remembered pair', async (t) => {
  const { service } = await withAnn(t);
  await call(service);
  assert.equal(await costOf(() => tryBy('post', service.url, 'ann', PASSWORD)), 1);
  assert.equal(await costOf(() => tryBy('get', service.url, 'ann', PASSWORD)), 1);
});

test('a remembered pair does not outlive a changed password', async (t) => {
  const { service, change } = await withAnn(t);
  assert.ok((await call(service)).letIn);
  await change({ passwordHash: await hashPassword('another-password', CHEAP), generation: 1 });
  assert.equal((await call(service)).status, 401);
  assert.ok((await call(service, 'another-password')).letIn);
});

test('a remembered pair does not outlive a disabling, a lock by hand or a removal', async (t) => {
  const { service, change } = await withAnn(t);
  for (const [done, undone] of [
    [{ disabled: true }, { disabled: false }],
    [{ lockedUntil: UNTIL_UNLOCKED }, { lockedUntil: 0 }],
  ] as const) {
    assert.ok((await call(service)).letIn);
    await change(done);
    assert.equal((await call(service)).status, 401);
    await change(undone);
  }
  assert.ok((await call(service)).letIn);
  await service.store.write(async (unit) => {
    await unit.users.remove((await unit.users.findByKey('ann'))?.id ?? 0);
  });
  assert.equal((await call(service)).status, 401);
});

test('a password may hold colons, and a wrong one is challenged each time', async (t) => {
  const service = await startTestService(t);
  await service.addUser('ann', { password: 'a:b::c' });
  assert.ok((await call(service, 'a:b::c')).letIn);
  assert.equal((await call(service, 'a:b:')).challenge, 'Basic realm="Tessera"');
});

test('a refused pair is one refused login in the events, and no refused ticket', async (t) => {
  const folder = await temporaryFolder(t);
  const service = await startTestService(t, { TESSERA_DATA: folder }, () => openSqlite(folder));
  const { length } = await failUntilWaiting(service, 'admin', undefined, 'basic');
  for (let time = 0; time < 3; time += 1) await tryBy('basic', service.url, 'admin', 'wrong');
  await service.stop();
  const store = openSqlite(folder);
  afterwards(t, () => store.close());
  const events = await store.read((unit) => unit.events.list({}));
  const counted: Record<string, number> = {};
  for (const { kind, reason, count } of events)
    counted[`${kind} ${reason}`] = (counted[`${kind} ${reason}`] ?? 0) + count;
  assert.deepEqual(counted, {
    'user-added first start': 1,
    'login-refused wrong-password': length,
    'login-refused waiting': 3,
  });
});
