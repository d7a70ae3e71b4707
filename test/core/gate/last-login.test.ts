import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { LOGIN_GRAIN } from '../../../src/core/domain/user.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';
import { ChangedStore } from './changed-store.ts';

async function start(t: TestContext) {
  const store = new ChangedStore();
  const service = await startTestService(t, {}, () => store);
  const lastLogin = async () => (await store.read(({ users }) => users.findByKey('admin')))?.lastLoginAt;
  return { service, lastLogin };
}

test('a login is noted with the user, and those of the next hour are not', async (t) => {
  const { service, lastLogin } = await start(t);
  assert.equal(await lastLogin(), 0);
  await logIn(service.url, 'admin');
  const first = (await lastLogin()) ?? 0;
  assert.ok(first > 0);
  service.shiftClock(LOGIN_GRAIN / 2);
  await logIn(service.url, 'admin');
  assert.equal(await lastLogin(), first);
  service.shiftClock(LOGIN_GRAIN);
  await logIn(service.url, 'admin');
  assert.ok(((await lastLogin()) ?? 0) > first + LOGIN_GRAIN);
});

test('a password that a program sends with its calls is noted too, and a refused one is not', async (t) => {
  const { service, lastLogin } = await start(t);
  const call = (password: string) =>
    ask(`${service.url}/api/people/admin`, {
      headers: { authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` },
    });
  assert.equal((await call('wrong')).status, 401);
  assert.equal(await lastLogin(), 0);
  assert.equal((await call(PASSWORD)).status, 200);
  assert.ok(((await lastLogin()) ?? 0) > 0);
});

test('a time in the future, noted while a clock was ahead, gives way to the next login', async (t) => {
  const { service, lastLogin } = await start(t);
  service.shiftClock(100 * LOGIN_GRAIN);
  await logIn(service.url, 'admin');
  const ahead = (await lastLogin()) ?? 0;
  service.shiftClock(-99 * LOGIN_GRAIN);
  await logIn(service.url, 'admin');
  assert.ok(((await lastLogin()) ?? 0) < ahead);
});
