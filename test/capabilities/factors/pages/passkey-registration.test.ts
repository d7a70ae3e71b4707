import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_PASSKEYS } from '../../../../src/core/domain/passkey.ts';
import { Visitor } from '../../../faces/pages/browse.ts';
import { attributeOf, elementsOf, textOf } from '../../../faces/pages/markup.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { Authenticator } from '../passkeys/authenticator.ts';
import { kept, PasskeyVisitor, withPasskey } from './passkey-visitor.ts';
import { codesOn } from './second-factor-browse.ts';

const PASSKEYS = '/portal/account/passkeys';

const leadsTo = (response: Response) => response.headers.get('location');

test('a passkey is listed with its name, counts as a second factor, and tells an event', async (t) => {
  const { service, visitor, userHandle } = await withPasskey(t);
  const { user, passkeys } = await kept(service, 'anna');
  assert.equal(user.hasSecondFactor, true);
  assert.deepEqual(
    passkeys.map(({ name, transports }) => ({ name, transports })),
    [{ name: 'laptop', transports: ['internal'] }],
  );
  assert.equal(userHandle.length, 32);
  await visitor.sendAlone({ challenge: await visitor.challenge(), userHandle });
  const { rows } = readPage(await (await visitor.get(PASSKEYS)).text());
  assert.deepEqual(
    rows.map(([name]) => name),
    ['laptop'],
  );
  const events = await service.store.read((unit) => unit.events.latest({ user: 'anna', limit: 9 }));
  const added = events.find(({ kind }) => kind === 'second-factor-added');
  assert.equal(added?.reason, 'passkey laptop');
});

test('a sign-in that requires a second factor offers a passkey, which signs in and brings recovery codes', async (t) => {
  const service = await startTestService(t, {
    TESSERA_SECOND_FACTOR: 'required',
    TESSERA_SECOND_FACTOR_GRACE: 'off',
  });
  for (const name of ['anna', 'bert']) await service.addUser(name);
  const register = '/portal/second-factor/register';
  const waiting = async (username: string, visitor = new PasskeyVisitor(service)) => {
    const led = await visitor.post('/portal/login', {
      username,
      password: PASSWORD,
      return: '/portal/account',
    });
    assert.equal(leadsTo(led), register);
    return visitor;
  };
  const stranger = new PasskeyVisitor(service);
  assert.equal((await stranger.post(`${register}/passkey-options`, {})).status, 404);
  const visitor = await waiting('anna');
  const elements = elementsOf(await (await visitor.get(register)).text());
  const passkey = elements.findIndex((each) => attributeOf(each, 'data-passkey') === 'create');
  const app = elements.findIndex((each) => each.tagName === 'h2' && textOf(each) === 'Authenticator app');
  assert.ok(passkey >= 0 && passkey < app, 'the passkey stands before the app');
  const { challenge } = await visitor.options(`${register}/passkey-options`);
  const credential = visitor.authenticator.registered({ challenge });
  const send = (from: PasskeyVisitor) => from.post(`${register}/passkey`, { credential });
  assert.equal(leadsTo(await send(stranger)), '/portal/login', 'no sign-in waits there');
  assert.equal((await send(await waiting('bert'))).status, 422, 'the challenge is of another browser');
  await waiting('bert', visitor);
  assert.equal((await send(visitor)).status, 422, 'the challenge is of another user');
  assert.equal(visitor.cookies.has('tessera'), false);
  await waiting('anna', visitor);
  const done = await send(visitor);
  assert.equal(done.status, 200);
  assert.equal(codesOn(await done.text()).length, 10);
  assert.equal((await visitor.get('/portal/account')).status, 200);
  const { user, passkeys } = await kept(service, 'anna');
  assert.deepEqual([user.hasSecondFactor, passkeys.length], [true, 1]);
  assert.equal((await kept(service, 'bert')).passkeys.length, 0);
  assert.equal(leadsTo(await send(visitor)), '/portal/login', 'the sign-in has ended');
});

test('at an IP address the pages say why they offer no passkey', async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  for (const [visitor, isTold] of [
    [new Visitor(service), true],
    [new PasskeyVisitor(service), false],
  ] as const) {
    const signIn = await (await visitor.get('/portal/login')).text();
    assert.equal(signIn.includes('needs the host name of this service'), isTold);
    await visitor.signIn('anna');
    const account = await (await visitor.get('/portal/account')).text();
    assert.equal(account.includes('You opened this page at an IP address.'), isTold);
  }
});

test('an authenticator hears of the passkeys that there are, and of one handle of the user, which is not the name', async (t) => {
  const { visitor, userHandle } = await withPasskey(t);
  await visitor.sendAlone({ challenge: await visitor.challenge(), userHandle });
  const { user, excludeCredentials } = await visitor.creationOptions();
  assert.deepEqual(
    excludeCredentials?.map(({ id }) => id),
    [visitor.authenticator.credentialId.toString('base64url')],
  );
  assert.equal(user?.id, userHandle.toString('base64url'));
  assert.equal(user?.name, 'anna');
});

test('a name is refused that is empty, too long or taken, and the page says so with the name', async (t) => {
  const { service, visitor, userHandle } = await withPasskey(t);
  await visitor.sendAlone({ challenge: await visitor.challenge(), userHandle });
  const other = new PasskeyVisitor(service);
  for (const cookie of visitor.cookies) other.cookies.set(...cookie);
  const send = async (name: string) => {
    const { challenge } = await other.creationOptions();
    return leadsTo(await other.sendRegistration(name, { challenge })) as string;
  };
  for (const [name, why] of [
    [' ', 'name'],
    ['x'.repeat(61), 'name'],
    ['a\u0007b', 'name'],
    [' laptop ', 'name-taken'],
  ] as const) {
    const led = await send(name);
    assert.equal(led, `${PASSKEYS}/add?${new URLSearchParams({ why, name: name.trim() })}`);
    assert.ok(readPage(await (await other.get(led)).text()).fieldFaults.has('name'));
  }
  assert.equal((await kept(service, 'anna')).passkeys.length, 1);
  assert.equal(await send('x'.repeat(60)), `${PASSKEYS}?done=added`);
});

test('a passkey is added once, and no more than there is room for', async (t) => {
  const { service, visitor, userHandle } = await withPasskey(t);
  await visitor.sendAlone({ challenge: await visitor.challenge(), userHandle });
  const again = await visitor.sendRegistration('again', await visitor.creationOptions());
  assert.match(leadsTo(again) ?? '', /why=known/);
  const { user, passkeys } = await kept(service, 'anna');
  await service.store.write(async (unit) => {
    for (let n = 1; n < MOST_PASSKEYS; n += 1)
      await unit.passkeys.add({ ...passkeys[0], ...{ userId: user.id, userHandle }, ...made(n) } as never);
  });
  const one = new PasskeyVisitor(service);
  for (const cookie of visitor.cookies) one.cookies.set(...cookie);
  const tooMany = await one.sendRegistration('one more', await one.creationOptions());
  assert.match(leadsTo(tooMany) ?? '', /why=too-many/);
});

const made = (n: number) => ({ name: `passkey ${n}`, credentialId: Buffer.alloc(32, n) });

test('a passkey is made by its user alone, for a challenge of the service, and after a recent proof', async (t) => {
  const service = await startTestService(t);
  for (const name of ['anna', 'ben']) await service.addUser(name);
  const [anna, ben] = [new PasskeyVisitor(service), new PasskeyVisitor(service)];
  await anna.signIn('anna');
  await ben.signIn('ben');
  const { challenge } = await anna.creationOptions();
  const refused = async (sent: Promise<Response>) => {
    assert.match(leadsTo(await sent) ?? '', /why=refused/);
  };
  await refused(ben.sendRegistration('x', { challenge }));
  await refused(anna.sendRegistration('x', { challenge: await anna.challenge() }));
  await refused(anna.sendRegistration('x', { challenge, origin: 'http://localhost:1' }));
  await refused(anna.send('/portal/account', PASSKEYS, { name: 'x', credential: 'x' }));
  const credential = anna.authenticator.registered({ challenge });
  assert.equal((await anna.post(PASSKEYS, { name: 'x', credential, formToken: 'x' })).status, 403);
  service.shiftClock(10 * 60_000 + 1);
  const toProof = /^\/portal\/account\/prove\?/;
  assert.match(leadsTo(await anna.get(`${PASSKEYS}/add`)) ?? '', toProof);
  assert.match(leadsTo(await anna.send('/portal/account', `${PASSKEYS}/options`)) ?? '', toProof);
  assert.match(
    leadsTo(await anna.send('/portal/account', PASSKEYS, { name: 'x', credential })) ?? '',
    toProof,
  );
  for (const name of ['anna', 'ben']) assert.equal((await kept(service, name)).passkeys.length, 0);
});

test('a passkey is removed after a question, and with the last one the second factor goes', async (t) => {
  const { service, visitor, userHandle } = await withPasskey(t);
  await service.addUser('ben');
  const ben = new PasskeyVisitor(service);
  await ben.signIn('ben');
  const id = visitor.authenticator.credentialId.toString('base64url');
  const asked = `${PASSKEYS}/remove?id=${id}`;
  assert.equal(leadsTo(await ben.get(asked)), PASSKEYS);
  await ben.send('/portal/account', `${PASSKEYS}/remove`, { id });
  assert.equal((await kept(service, 'anna')).passkeys.length, 1);
  await visitor.sendAlone({ challenge: await visitor.challenge(), userHandle });
  assert.match(await (await visitor.get(asked)).text(), /no longer sign in with the passkey laptop/);
  await visitor.send(asked, `${PASSKEYS}/remove`, { id });
  const { user, passkeys } = await kept(service, 'anna');
  assert.deepEqual([passkeys.length, user.hasSecondFactor], [0, false]);
  assert.equal((await visitor.sendAlone({ challenge: await visitor.challenge(), userHandle })).status, 403);
  await visitor.signIn('anna');
});

test('a user without a password has no passkeys: any password logs it in', async (t) => {
  const service = await startTestService(t);
  await service.addUser('guest', { password: undefined });
  const visitor = new PasskeyVisitor(service, new Authenticator('http://localhost'));
  await visitor.signIn('guest', '');
  assert.equal(leadsTo(await visitor.get(PASSKEYS)), '/portal/account');
});

test('a user with a second factor proves again with a whole sign-in, and the password alone is no proof', async (t) => {
  const { service, visitor, userHandle } = await withPasskey(t);
  const alone = async () => visitor.sendAlone({ challenge: await visitor.challenge(), userHandle });
  await alone();
  service.shiftClock(10 * 60_000 + 1);
  const proof = leadsTo(await visitor.get(`${PASSKEYS}/add`)) as string;
  const signIn = leadsTo(await visitor.get(proof)) as string;
  const back = new URLSearchParams({ again: 'yes', return: `${PASSKEYS}/add` });
  assert.equal(signIn, `/portal/login?${back}`);
  const formToken = await visitor.formToken();
  const fields = { password: PASSWORD, return: `${PASSKEYS}/add`, formToken };
  assert.equal(leadsTo(await visitor.post('/portal/account/prove', fields)), signIn);
  assert.match(leadsTo(await visitor.get(`${PASSKEYS}/add`)) ?? '', /account\/prove/);
  await alone();
  assert.equal((await visitor.get(`${PASSKEYS}/add`)).status, 200);
});
