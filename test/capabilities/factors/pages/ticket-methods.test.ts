import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Visitor } from '../../../faces/pages/browse.ts';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';
import { asked } from '../../admin/http/asked.ts';
import { withPasskey } from './passkey-visitor.ts';
import { appOn, codeAt, STEP, withApp } from './second-factor-browse.ts';

/** How the user's tickets were proved, the latest first. */
async function methodsOf(service: TestService, user = 'anna'): Promise<readonly string[]> {
  const { body } = await asked(service, `/users/${user}/tickets`, {}, 'auditor');
  const items: readonly { readonly issuedAt: string; readonly methods?: readonly string[] }[] = body.items;
  return items
    .toSorted((a, b) => b.issuedAt.localeCompare(a.issuedAt))
    .map(({ methods = [] }) => methods.join(' '));
}

test('a ticket says that its user gave a password, or a password and a code of the app or a recovery code', async (t) => {
  const service = await startTestService(t);
  const anna = await withApp(service);
  assert.deepEqual(await methodsOf(service), ['pwd']);
  for (const code of [() => anna.code(), () => anna.codes[0] ?? assert.fail()]) {
    anna.pass(60_000);
    const other = await anna.atSecondStep();
    assert.equal((await other.post(STEP, { code: code() })).status, 303);
    assert.equal((await methodsOf(service))[0], 'pwd otp');
    assert.match(await (await other.get('/portal/account')).text(), /with a second factor/);
  }
  await service.addUser('bob');
  await logIn(service.url, 'bob');
  assert.deepEqual(await methodsOf(service, 'bob'), ['pwd']);
});

test('a ticket says that its user had a passkey, alone or after the password', async (t) => {
  const { service, visitor, userHandle } = await withPasskey(t);
  service.stopClock();
  await visitor.sendAlone({ challenge: await visitor.challenge(), userHandle });
  assert.equal((await methodsOf(service))[0], 'pop');
  service.shiftClock(1_000);
  await visitor.givePassword('anna');
  const { challenge } = await visitor.options('/portal/second-factor/passkey-options');
  assert.equal((await visitor.sendStep({ challenge })).status, 303);
  assert.equal((await methodsOf(service))[0], 'pwd pop');
});

test('a ticket says that its user registered a factor at the sign-in, and gave one before a new password', async (t) => {
  const service = await startTestService(t, {
    TESSERA_SECOND_FACTOR: 'required',
    TESSERA_SECOND_FACTOR_GRACE: 'off',
  });
  service.stopClock();
  const start = Date.now();
  await service.addUser('anna');
  const visitor = new Visitor(service);
  await visitor.post('/portal/login', { username: 'anna', password: PASSWORD });
  const page = `${STEP}/register`;
  const { key, sealed } = appOn(await (await visitor.get(page)).text());
  assert.equal((await visitor.post(page, { sealed, code: codeAt(key, start) })).status, 200);
  assert.deepEqual(await methodsOf(service), ['pwd otp']);
  await visitor.send('/portal/account', '/portal/logout');
  await service.store.write(async ({ users }) => {
    const user = (await users.findByKey('anna')) ?? assert.fail();
    await users.change(user.id, { mustChangePassword: true });
  });
  service.shiftClock(60_000);
  await visitor.post('/portal/login', { username: 'anna', password: PASSWORD });
  await visitor.post(STEP, { code: codeAt(key, start + 60_000) });
  const passwords = { oldPassword: PASSWORD, newPassword: 'a-donkey-eats-no-staple' };
  const signedIn = await visitor.post('/portal/new-password', { username: 'anna', ...passwords });
  assert.equal(signedIn.status, 303, await signedIn.text());
  assert.deepEqual(await methodsOf(service), ['pwd otp']);
});
