import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';
import { STEP, withApp } from './second-factor-browse.ts';

const ENV = {
  TESSERA_THROTTLE_AFTER: '0',
  TESSERA_LOCKOUT_THRESHOLD: '3',
  TESSERA_TRUSTED_PROXIES: '127.0.0.1',
};
const TICKET = 'tessera';

/** Locks the user out by wrong passwords from other networks than the one where the user signs in. */
async function lockOut({ url, store }: TestService): Promise<void> {
  for (const network of [2, 3, 4, 5, 6]) {
    const headers = { 'X-Forwarded-For': `203.0.${network}.7` };
    const body = JSON.stringify({ username: 'anna', password: 'wrong' });
    await fetch(`${url}/api/login`, { method: 'POST', body, headers });
  }
  const user = await store.read(({ users }) => users.findByKey('anna'));
  assert.ok((user?.lockedUntil ?? 0) > 0, 'anna is locked out');
}

/** A user with an app who is locked out, and signs in from a familiar address. */
async function lockedOut(t: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(t, ENV);
  const anna = await withApp(service);
  anna.pass(60_000);
  await lockOut(service);
  return anna;
}

test('the password alone is no sign-in for a user with a second factor who is locked out, from a familiar address', async (t) => {
  const anna = await lockedOut(t);
  const browser = await anna.atSecondStep();
  assert.ok(!browser.cookies.has(TICKET));
  const again = await browser.post('/portal/login', { username: 'anna', password: PASSWORD });
  assert.equal(again.headers.get('location'), STEP, 'the lock-out is not ended by the password');
  const signedIn = await browser.post(STEP, { code: anna.code() });
  assert.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, '/portal']);
  assert.ok(browser.cookies.has(TICKET));
});

test('nor does the old password alone change the password of such a user', async (t) => {
  const anna = await lockedOut(t);
  const browser = await anna.atSecondStep();
  const fields = { username: 'anna', oldPassword: PASSWORD, newPassword: 'an even longer, quieter river' };
  const response = await browser.post('/portal/new-password', { ...fields, return: '/portal' });
  assert.equal(response.headers.get('location'), STEP);
  await anna.atSecondStep();
});
