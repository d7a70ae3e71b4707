import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Visitor } from '../../../faces/pages/browse.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { pageOf, signedInAs } from './staff.ts';

const LOCK_OUTS = '/portal/console/lock-outs';

const rowsIn = (text: string) => readPage(text).rows;

/** A service with bob, who has to wait at his address after a wrong password. */
async function withWaiting(t: Parameters<typeof startTestService>[0]): Promise<TestService> {
  const service = await startTestService(t, { TESSERA_THROTTLE_AFTER: '1' });
  service.stopClock();
  await service.addUser('bob');
  await new Visitor(service).post('/portal/login', { username: 'bob', password: 'wrong' });
  return service;
}

const lock = ({ store }: TestService, name: string) =>
  store.write(async ({ users }) => {
    const user = await users.findByKey(name);
    await users.change(user?.id as number, { lockedUntil: 8_640_000_000_000_000 });
  });

test('an operator sees who has to wait or is locked, why and until when', async (t) => {
  const service = await withWaiting(t);
  await service.addUser('cem');
  await lock(service, 'cem');
  const visitor = await signedInAs(service, 'operator');
  const [cem, bob] = rowsIn(await pageOf(visitor, LOCK_OUTS));
  assert.deepEqual(cem?.slice(0, 4), ['cem', 'locked by an administrator', 'all', '0']);
  assert.equal(cem?.[5], 'until an administrator unlocks it');
  assert.deepEqual(bob?.slice(0, 4), ['bob', 'this name has to wait at this address', '127.0.0.1', '1']);
  assert.match(bob?.[5] as string, /UTC$/);
  assert.deepEqual(
    rowsIn(await pageOf(visitor, `${LOCK_OUTS}?user=BOB`)).map(([user]) => user),
    ['bob'],
  );
  assert.match(await pageOf(visitor, LOCK_OUTS, 'de'), /von einem Administrator gesperrt/);
});

test('an operator unlocks a user on a page that names it, and the event says who did it', async (t) => {
  const service = await withWaiting(t);
  const visitor = await signedInAs(service, 'operator');
  const ask = `${LOCK_OUTS}/bob/unlock`;
  assert.ok((await pageOf(visitor, LOCK_OUTS)).includes(`href="${ask}"`));
  const { heading, text } = readPage(await pageOf(visitor, ask));
  assert.equal(heading, 'Unlock bob');
  assert.match(text, /bob can then sign in again at once/);
  const done = await visitor.send(ask, ask);
  assert.equal(done.status, 303);
  const to = done.headers.get('location') as string;
  assert.match(await pageOf(visitor, to), /The user is unlocked\./);
  assert.deepEqual(rowsIn(await pageOf(visitor, LOCK_OUTS)), []);
  await new Visitor(service).signIn('bob');
  const [event] = await service.store.read(({ events }) => events.latest({ kind: 'unlock', limit: 1 }));
  assert.deepEqual([event?.user, event?.actor], ['bob', 'operator']);
});

test('a form without the token of the page, or from another site, unlocks no user', async (t) => {
  const service = await withWaiting(t);
  const visitor = await signedInAs(service, 'operator');
  const path = `${LOCK_OUTS}/bob/unlock`;
  assert.equal((await visitor.post(path, { formToken: 'forged' })).status, 403);
  const foreign = { 'Sec-Fetch-Site': 'cross-site' };
  assert.equal((await visitor.post(path, { formToken: await visitor.formToken() }, foreign)).status, 403);
  assert.equal(rowsIn(await pageOf(visitor, LOCK_OUTS)).length, 1);
});

test('an unknown user is said at the field, and has no page; a list without rows says so', async (t) => {
  const visitor = await signedInAs(await startTestService(t), 'operator');
  assert.match(await pageOf(visitor, LOCK_OUTS), /No user is locked out or has to wait\./);
  assert.match(await pageOf(visitor, `${LOCK_OUTS}?user=nemo`), /There is no user of this name\./);
  assert.match(await pageOf(visitor, `${LOCK_OUTS}?user=operator`), /This user is neither/);
  assert.equal((await visitor.get(`${LOCK_OUTS}/nemo/unlock`)).status, 404);
  assert.equal((await visitor.send(LOCK_OUTS, `${LOCK_OUTS}/nemo/unlock`)).status, 404);
  assert.equal((await visitor.get(`${LOCK_OUTS}?cursor=x`)).status, 400);
});

test('an auditor neither sees lock-outs nor unlocks a user', async (t) => {
  const service = await withWaiting(t);
  const visitor = await signedInAs(service, 'auditor');
  for (const path of [LOCK_OUTS, `${LOCK_OUTS}/bob/unlock`])
    assert.equal((await visitor.get(path)).status, 403, path);
  assert.equal((await visitor.send('/portal/account', `${LOCK_OUTS}/bob/unlock`)).status, 403);
  assert.ok(!(await pageOf(visitor, '/portal/console/events')).includes(LOCK_OUTS));
});
