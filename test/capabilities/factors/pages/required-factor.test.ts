import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newGroup } from '../../../../src/core/domain/group.ts';
import { Visitor } from '../../../faces/pages/browse.ts';
import { attributeOf, onlyElement } from '../../../faces/pages/markup.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';
import { APP, appOn, codeAt, codesOn, STEP, withApp } from './second-factor-browse.ts';

const DAY = 24 * 60 * 60_000;
const REGISTRATION = `${STEP}/register`;
const SOON = '/portal/second-factor/soon?return=%2Fportal%2Faccount';
const TICKET = 'tessera';

/** Signs in, and gives the address to which the browser is led. */
async function ledFrom(visitor: Visitor, username = 'anna'): Promise<string | null> {
  const fields = { username, password: PASSWORD, return: '/portal/account' };
  const response = await visitor.post('/portal/login', fields);
  assert.equal(response.status, 303);
  return response.headers.get('location');
}

/** Makes the user a member of a group that is in the group `finance`. */
async function joinFinance({ store }: TestService, name: string): Promise<void> {
  await store.write(async ({ groups, users }) => {
    const [finance, payroll] = [await groups.add(newGroup('finance')), await groups.add(newGroup('payroll'))];
    const user = await users.findByKey(name);
    assert.ok(finance && payroll && user);
    await groups.addGroup(finance.id, payroll.id);
    await groups.addUser(payroll.id, user.id);
  });
}

/** The statuses of a program's login and of its request by Basic, with the user's password. */
async function program({ url }: TestService, username = 'anna'): Promise<readonly number[]> {
  const body = JSON.stringify({ username, password: PASSWORD });
  const login = await fetch(`${url}/api/login`, { method: 'POST', body });
  const Authorization = `Basic ${Buffer.from(`${username}:${PASSWORD}`).toString('base64')}`;
  const basic = await fetch(`${url}/api/people/${username}`, { headers: { Authorization } });
  return [login.status, basic.status];
}

const refusals = async ({ store }: TestService) =>
  (await store.read(({ events }) => events.latest({ kind: 'login-refused', limit: 9 }))).map(
    ({ reason }) => reason,
  );

test('a user with a second factor cannot use the plain password outside the pages, however it was used before', async (t) => {
  const service = await startTestService(t, { TESSERA_THROTTLE_AFTER: '0' });
  await service.addUser('anna');
  assert.deepEqual(await program(service), [200, 200]);
  const { visitor } = await withApp(service);
  assert.deepEqual(await program(service), [403, 401]);
  assert.ok((await refusals(service)).every((reason) => reason === 'second-factor-needed'));
  const account = await (await visitor.get('/portal/account')).text();
  assert.match(account, /your account has a second factor: this program needs an app password/);
});

test('a required second factor: the sign-in says until when, then leads to the registration before anything else', async (t) => {
  const service = await startTestService(t, {
    TESSERA_SECOND_FACTOR: 'required',
    TESSERA_SECOND_FACTOR_GRACE: 'P2D',
  });
  await service.addUser('anna');
  service.stopClock();
  const start = Date.now();
  const early = new Visitor(service);
  assert.equal(await ledFrom(early), SOON);
  const soon = await (await early.get(SOON)).text();
  const end = attributeOf(onlyElement(soon, 'time'), 'datetime') ?? '';
  assert.equal(end.slice(0, 16), new Date(start + 2 * DAY).toISOString().slice(0, 16));
  assert.deepEqual(readPage(soon).links.slice(-2), [
    { text: 'Set up an authenticator app', to: APP },
    { text: 'Later', to: '/portal/account' },
  ]);
  assert.deepEqual(await program(service), [200, 200]);
  service.shiftClock(2 * DAY);
  const late = new Visitor(service);
  assert.equal(await ledFrom(late), REGISTRATION);
  assert.ok(!late.cookies.has(TICKET));
  assert.deepEqual(await program(service), [403, 401]);
  assert.ok((await refusals(service)).includes('second-factor-required'));
  const { key, sealed } = appOn(await (await late.get(REGISTRATION)).text());
  const wrong = await late.post(REGISTRATION, { sealed, code: '000000' });
  assert.equal(wrong.status, 422);
  assert.equal(appOn(await wrong.text()).key, key);
  const done = await late.post(REGISTRATION, { sealed, code: codeAt(key, start + 2 * DAY) });
  const text = await done.text();
  assert.equal(codesOn(text).length, 10);
  assert.ok(readPage(text).links.some(({ to }) => to === '/portal/account'));
  assert.deepEqual([...late.cookies.keys()].sort(), [TICKET, `${TICKET}-proof`]);
  assert.equal((await late.get('/portal/account')).status, 200);
  assert.equal(await ledFrom(new Visitor(service)), STEP);
});

test('a user who has to register an app and to choose a new password does both, and sees the recovery codes', async (t) => {
  const service = await startTestService(t, {
    TESSERA_SECOND_FACTOR: 'required',
    TESSERA_SECOND_FACTOR_GRACE: 'off',
  });
  await service.addUser('anna');
  await service.store.write(async ({ users }) => {
    const user = (await users.findByKey('anna')) ?? assert.fail();
    await users.change(user.id, { mustChangePassword: true });
  });
  service.stopClock();
  const now = Date.now();
  const visitor = new Visitor(service);
  assert.equal(await ledFrom(visitor), REGISTRATION);
  const { key, sealed } = appOn(await (await visitor.get(REGISTRATION)).text());
  const registered = await visitor.post(REGISTRATION, { sealed, code: codeAt(key, now) });
  const text = await registered.text();
  assert.equal(codesOn(text).length, 10, text);
  assert.ok(readPage(text).links.some(({ to }) => to === '/portal/login?return=%2Fportal%2Faccount'));
  assert.ok(!visitor.cookies.has(TICKET));
  const asked = await visitor.post('/portal/login', { username: 'anna', password: PASSWORD });
  assert.equal(readPage(await asked.text()).heading, 'Choose a new password');
  const fields = { username: 'anna', oldPassword: PASSWORD, newPassword: 'an even longer, quieter river' };
  const signedIn = await visitor.post('/portal/new-password', { ...fields, return: '/portal/account' });
  assert.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, '/portal/account']);
  assert.ok(visitor.cookies.has(TICKET));
});

test('the time for registering begins with the first login of a program, too', async (t) => {
  const service = await startTestService(t, {
    TESSERA_SECOND_FACTOR: 'required',
    TESSERA_SECOND_FACTOR_GRACE: 'P1D',
  });
  await service.addUser('anna');
  service.stopClock();
  assert.deepEqual(await program(service), [200, 200]);
  service.shiftClock(DAY);
  assert.deepEqual(await program(service), [403, 401]);
});

test('a second factor is required of the members of a group, nested ones too, and of no other user', async (t) => {
  const service = await startTestService(t, {
    TESSERA_SECOND_FACTOR_GROUPS: 'GROUP_Finance',
    TESSERA_SECOND_FACTOR_GRACE: 'off',
  });
  for (const name of ['anna', 'ben']) await service.addUser(name);
  await joinFinance(service, 'anna');
  assert.equal(await ledFrom(new Visitor(service)), REGISTRATION);
  assert.equal(await ledFrom(new Visitor(service), 'ben'), '/portal/account');
  assert.deepEqual(await program(service), [403, 401]);
  assert.deepEqual(await program(service, 'ben'), [200, 200]);
});

test('the password of a user with a second factor does not get to the registration of another one', async (t) => {
  const service = await startTestService(t, { TESSERA_SECOND_FACTOR: 'required' });
  const anna = await withApp(service);
  const browser = await anna.atSecondStep();
  assert.equal((await browser.get(REGISTRATION)).headers.get('location'), '/portal/login');
  const sent = await browser.post(REGISTRATION, { sealed: 'x', code: '1' });
  assert.equal(sent.headers.get('location'), '/portal/login');
});

test('off: no sign-in asks for a second factor, not even of users who have one, and none can be added', async (t) => {
  const service = await startTestService(t, { TESSERA_SECOND_FACTOR: 'off' });
  await service.addUser('anna');
  await service.store.write(async ({ users }) => {
    const user = (await users.findByKey('anna')) ?? assert.fail();
    await users.change(user.id, { hasSecondFactor: true });
  });
  const visitor = new Visitor(service);
  assert.equal(await ledFrom(visitor), '/portal/account');
  assert.deepEqual(await program(service), [200, 200]);
  assert.doesNotMatch(await (await visitor.get('/portal/account')).text(), /Second factor/);
  assert.equal((await visitor.get(APP)).headers.get('location'), '/portal/account');
});

test('a user without a password is never asked for a second factor', async (t) => {
  const service = await startTestService(t, {
    TESSERA_SECOND_FACTOR: 'required',
    TESSERA_SECOND_FACTOR_GRACE: 'off',
  });
  await service.addUser('guest', { password: undefined });
  const visitor = new Visitor(service);
  assert.equal(await ledFrom(visitor, 'guest'), '/portal/account');
  assert.doesNotMatch(await (await visitor.get('/portal/account')).text(), /Second factor/);
  assert.equal((await visitor.get(APP)).headers.get('location'), '/portal/account');
});
