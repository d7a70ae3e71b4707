import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDisabled } from '../../../../src/core/domain/user.ts';
import type { UserChange } from '../../../../src/core/storage/store.ts';
import { formOn } from '../../../faces/pages/browse.ts';
import { onlyElement } from '../../../faces/pages/markup.ts';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { Authenticator } from '../passkeys/authenticator.ts';
import { kept, lastRefusal, PasskeyVisitor, withPasskey } from './passkey-visitor.ts';

const ACCOUNT = '/portal/account';

test('a passkey alone signs its user in, with a ticket and an event like any other', async (t) => {
  const { service, visitor, userHandle } = await withPasskey(t);
  const { userVerification, allowCredentials } = await visitor.options('/portal/login/passkey-options');
  assert.deepEqual([userVerification, allowCredentials], ['required', []]);
  const signedIn = await visitor.sendAlone({ challenge: await visitor.challenge(), userHandle });
  assert.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, '/portal']);
  assert.match(await (await visitor.get(ACCOUNT)).text(), /You are signed in as anna/);
  const [event] = await service.store.read(({ events }) => events.latest({ user: 'anna', limit: 1 }));
  assert.equal(event?.kind, 'login');
  const { usedAt } = (await kept(service, 'anna')).passkeys[0] ?? assert.fail();
  assert.ok(usedAt);
});

test('an answer counts once, in its own browser alone, for five minutes', async (t) => {
  const { service, visitor, userHandle } = await withPasskey(t);
  const challenge = await visitor.challenge();
  const other = new PasskeyVisitor(service, visitor.authenticator);
  await other.challenge();
  assert.equal((await other.sendAlone({ challenge, userHandle })).status, 403);
  assert.equal((await visitor.sendAlone({ challenge, userHandle })).status, 303);
  assert.equal((await visitor.sendAlone({ challenge, userHandle })).status, 403);
  assert.equal(await lastRefusal(service), 'passkey answered before');
  const late = await visitor.challenge();
  service.shiftClock(5 * 60_000 + 1);
  assert.equal((await visitor.sendAlone({ challenge: late, userHandle })).status, 403);
  assert.equal(await lastRefusal(service), 'wrong-passkey');
});

test('a challenge for one purpose is none for another, and none can be made up', async (t) => {
  const { visitor, userHandle } = await withPasskey(t);
  const alone = await visitor.challenge();
  await visitor.givePassword('anna');
  assert.equal((await visitor.sendStep({ challenge: alone })).status, 403);
  const { challenge } = await visitor.options('/portal/second-factor/passkey-options');
  assert.equal((await visitor.sendAlone({ challenge, userHandle })).status, 403);
  for (const made of ['AAAA', alone.slice(0, -2), `${alone}AA`])
    assert.equal((await visitor.sendAlone({ challenge: made, userHandle })).status, 403);
});

test('tabs of one browser have challenges of their own, and an older one is no use after a newer one', async (t) => {
  const { visitor, userHandle, service } = await withPasskey(t);
  service.stopClock();
  const next = () => {
    service.shiftClock(1);
    return visitor.challenge();
  };
  const status = async (challenge: string) => (await visitor.sendAlone({ challenge, userHandle })).status;
  const [first, second] = [await next(), await next()];
  assert.deepEqual([await status(first), await status(second)], [303, 303]);
  const [third, fourth] = [await next(), await next()];
  assert.deepEqual([await status(fourth), await status(third)], [303, 403]);
});

test('a passkey alone has to check its user, and to say for whom it is meant', async (t) => {
  const { service, visitor, userHandle } = await withPasskey(t);
  const challenge = await visitor.challenge();
  assert.equal((await visitor.sendAlone({ challenge, userHandle, userVerified: false })).status, 403);
  assert.equal(await lastRefusal(service), 'passkey without a check of its user');
  assert.equal((await visitor.sendAlone({ challenge })).status, 403);
  assert.equal((await visitor.sendAlone({ challenge, userHandle: Buffer.alloc(32) })).status, 403);
});

test('after the password a passkey is the second factor, even without a check of its user', async (t) => {
  const { visitor } = await withPasskey(t);
  await visitor.givePassword('anna');
  assert.equal((await visitor.get(ACCOUNT)).status, 303);
  const page = await (await visitor.get('/portal/second-factor')).text();
  onlyElement(page, 'form', { 'data-passkey': 'get' });
  const { challenge, allowCredentials, userVerification } = await visitor.options(
    '/portal/second-factor/passkey-options',
  );
  const id = visitor.authenticator.credentialId.toString('base64url');
  assert.deepEqual([allowCredentials?.map((each) => each.id), userVerification], [[id], 'preferred']);
  const signedIn = await visitor.sendStep({ challenge, userVerified: false });
  assert.equal(signedIn.headers.get('location'), '/portal');
  assert.equal((await visitor.get(ACCOUNT)).status, 200);
});

test('without the right password before, there is no second step', async (t) => {
  const { visitor } = await withPasskey(t);
  assert.equal((await visitor.post('/portal/second-factor/passkey-options', {})).status, 404);
  const led = await visitor.sendStep({ challenge: await visitor.challenge() });
  assert.equal(led.headers.get('location'), '/portal/login');
});

test('the passkey of a user of a directory is a second factor', async (t) => {
  const { service, visitor } = await withPasskey(t);
  await visitor.givePassword('anna');
  const { user } = await kept(service, 'anna');
  await service.store.write(({ users }) => users.change(user.id, { provider: 'ldap' }));
  const { challenge } = await visitor.options('/portal/second-factor/passkey-options');
  assert.equal((await visitor.sendStep({ challenge })).headers.get('location'), '/portal');
});

test('the passkey of another user is no second factor, and a wrong one shows the page again', async (t) => {
  const { service, visitor } = await withPasskey(t);
  await service.addUser('mallory');
  const other = new PasskeyVisitor(service);
  await other.makePasskey('mallory');
  await other.givePassword('anna');
  const { challenge } = await other.options('/portal/second-factor/passkey-options');
  const refused = await other.sendStep({ challenge });
  assert.equal(refused.status, 403);
  const again = await refused.text();
  assert.match(again, /This passkey was refused/);
  onlyElement(again, 'form', { 'data-passkey': 'get' });
  assert.equal((await other.get(ACCOUNT)).status, 303);
  await visitor.givePassword('anna');
  assert.equal((await visitor.sendStep({ challenge })).status, 403, 'the challenge of another browser');
});

test('a passkey that counts backwards may be a copy: it is refused, with the reason in the events', async (t) => {
  const { service, visitor, userHandle } = await withPasskey(t);
  const used = async (signCount: number) =>
    (await visitor.sendAlone({ challenge: await visitor.challenge(), userHandle, signCount })).status;
  service.stopClock();
  for (const [signCount, status] of [
    [7, 303],
    [8, 303],
    [8, 403],
    [3, 403],
    [0, 403],
    [9, 303],
  ] as const) {
    service.shiftClock(1);
    assert.equal(await used(signCount), status, `${signCount}`);
    if (status === 403) assert.equal(await lastRefusal(service), 'passkey counts backwards');
  }
});

for (const [what, parts] of Object.entries({
  'for another origin': { origin: 'http://localhost:1' },
  'of another domain': { rpId: 'example.org' },
  'for a page within another site': { crossOrigin: true },
})) {
  test(`an answer ${what} is refused`, async (t) => {
    const { visitor, userHandle } = await withPasskey(t);
    const challenge = await visitor.challenge();
    assert.equal((await visitor.sendAlone({ challenge, userHandle, ...parts })).status, 403);
    assert.equal((await visitor.sendAlone({ challenge, userHandle })).status, 303);
  });
}

test('a form of another site is no sign-in by a passkey', async (t) => {
  const { visitor, userHandle } = await withPasskey(t);
  const challenge = await visitor.challenge();
  const refused = await visitor.sendAlone({ challenge, userHandle }, { 'Sec-Fetch-Site': 'cross-site' });
  assert.equal(refused.status, 403);
  assert.equal(visitor.cookies.has('tessera'), false);
});

test('unknown passkeys count as failures of their address, and wrong ones of a user as its failures', async (t) => {
  const { service, visitor, userHandle } = await withPasskey(t, { TESSERA_THROTTLE_AFTER: '2' });
  service.stopClock();
  const stranger = new PasskeyVisitor(service);
  for (const status of [403, 403, 429])
    assert.equal(
      (await stranger.sendAlone({ challenge: await stranger.challenge(), userHandle })).status,
      status,
    );
  assert.equal(await lastRefusal(service), 'wrong-passkey');
  const id = visitor.authenticator.credentialId;
  for (let tries = 0; tries < 2; tries += 1)
    await stranger.sendAlone({ challenge: await stranger.challenge(), userHandle, id });
  const waiting = await visitor.sendAlone({ challenge: await visitor.challenge(), userHandle });
  assert.equal(waiting.status, 429);
  assert.match(await waiting.text(), /Wait \d+ seconds?\./);
});

test('a user who is disabled or locked, or whom a provider signs in, has no use of a passkey alone', async (t) => {
  const { service, visitor, userHandle } = await withPasskey(t);
  const { user } = await kept(service, 'anna');
  const change = (more: UserChange) => service.store.write(({ users }) => users.change(user.id, more));
  const status = async () =>
    (await visitor.sendAlone({ challenge: await visitor.challenge(), userHandle })).status;
  for (const [barred, free] of [
    [withDisabled(user, true), withDisabled(user, false)],
    [{ lockedUntil: 8_640_000_000_000_000 }, { lockedUntil: 0 }],
    [{ provider: 'ldap' }, { provider: undefined }],
  ] as const) {
    await change(barred);
    assert.equal(await status(), 403, JSON.stringify(barred));
    await change(free);
    assert.equal(await status(), 303, JSON.stringify(free));
  }
});

test('a user who has to choose a new password does so after the passkey, and before the ticket', async (t) => {
  const { service, visitor, userHandle } = await withPasskey(t);
  const { user } = await kept(service, 'anna');
  await service.store.write(({ users }) => users.change(user.id, { mustChangePassword: true }));
  const asked = await visitor.sendAlone({ challenge: await visitor.challenge(), userHandle });
  assert.ok(formOn(await asked.text(), '/portal/new-password'));
  assert.equal(visitor.cookies.has('tessera'), false);
  const fields = { username: 'anna', oldPassword: PASSWORD, newPassword: 'another-horse-another-battery' };
  assert.equal((await visitor.post('/portal/new-password', fields)).status, 303);
  assert.equal((await visitor.get(ACCOUNT)).status, 200);
});

test('without second factors, or at an address that is a number, there are no passkeys', async (t) => {
  const off = await startTestService(t, { TESSERA_SECOND_FACTOR: 'off' });
  await off.addUser('anna');
  const visitor = new PasskeyVisitor(off);
  assert.doesNotMatch(await (await visitor.get('/portal/login')).text(), /data-passkey/);
  assert.equal((await visitor.post('/portal/login/passkey-options', {})).status, 404);
  assert.equal((await visitor.sendAlone({ challenge: 'AAAA' })).status, 404);
  await visitor.signIn('anna');
  assert.equal((await visitor.get('/portal/account/passkeys')).headers.get('location'), ACCOUNT);
  const on = await startTestService(t);
  const asked = await fetch(`${on.url}/portal/login`);
  assert.doesNotMatch(await asked.text(), /data-passkey/);
});

test('a text that is no answer of an authenticator is refused like a wrong one', async (t) => {
  const { service, visitor } = await withPasskey(t);
  for (const credential of ['x', '{}', '{"id":"AA","response":{}}'])
    assert.equal((await visitor.post('/portal/login/passkey', { credential })).status, 403);
  assert.equal(await lastRefusal(service), 'wrong-passkey');
  const other = new Authenticator('http://localhost');
  const deep = { credential: other.registered({ challenge: await visitor.challenge() }) };
  assert.equal((await visitor.post('/portal/login/passkey', deep)).status, 403);
});
