import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formOn, Visitor } from '../../../faces/pages/browse.ts';
import { onlyElement } from '../../../faces/pages/markup.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { APP, appOn, STEP, withApp } from './second-factor-browse.ts';

const MINUTE = 60_000;
const TICKET = 'tessera';

const kindsOf = async ({ store }: Awaited<ReturnType<typeof startTestService>>) =>
  (await store.read(({ events }) => events.latest({ limit: 20 }))).map(({ kind, reason }) =>
    reason === undefined ? kind : `${kind}: ${reason}`,
  );

test('a user registers an app by one of its codes, and gets ten recovery codes once', async (t) => {
  const service = await startTestService(t);
  const { codes, key, visitor } = await withApp(service);
  assert.equal(new Set(codes).size, 10);
  const account = await (await visitor.get('/portal/account')).text();
  assert.match(account, /Recovery codes[\s\S]*10 left/);
  for (const secret of [...codes, key]) assert.ok(!account.includes(secret));
  const kinds = await kindsOf(service);
  assert.ok(
    kinds.includes('second-factor-added: authenticator app') && kinds.includes('recovery-codes-made'),
  );
});

test('an app counts only after a right code: a wrong one shows the same key again', async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  const { key, sealed } = appOn(await (await visitor.get(APP)).text());
  const wrong = await visitor.send(APP, APP, { sealed, code: '000000' });
  const text = await wrong.text();
  assert.equal(wrong.status, 422);
  assert.match(text, /not the code that the app shows/);
  assert.equal(appOn(text).key, key);
  await new Visitor(service).signIn('anna');
});

test('the right password alone gives a user with an app no ticket; a code does', async (t) => {
  const service = await startTestService(t);
  const anna = await withApp(service);
  anna.pass(MINUTE);
  const browser = await anna.atSecondStep('/portal/account?a=b');
  assert.ok(!browser.cookies.has(TICKET));
  assert.equal((await browser.get('/portal/account')).status, 303);
  const page = await browser.get(STEP);
  assert.equal(page.status, 200);
  const text = await page.text();
  assert.equal(readPage(text).heading, 'Second factor');
  onlyElement(text, 'input', { autocomplete: 'one-time-code' });
  const signedIn = await browser.post(STEP, { code: anna.code() });
  assert.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, '/portal/account?a=b']);
  assert.deepEqual([...browser.cookies.keys()].sort(), [TICKET, `${TICKET}-proof`]);
  assert.equal((await browser.get('/portal/account')).status, 200);
});

test('a code is accepted one step late and one step early, and no further', async (t) => {
  const service = await startTestService(t, { TESSERA_THROTTLE_AFTER: '0' });
  const anna = await withApp(service);
  anna.pass(10 * MINUTE);
  const early = anna.code();
  for (const [by, status] of [
    [-60_000, 403],
    [30_000, 303],
  ] as const) {
    anna.pass(by);
    assert.equal((await (await anna.atSecondStep()).post(STEP, { code: early })).status, status, `${by} ms`);
  }
  const late = anna.code();
  anna.pass(60_000);
  assert.equal((await (await anna.atSecondStep()).post(STEP, { code: late })).status, 403);
});

test('no code works twice, not even from another browser at the same moment', async (t) => {
  const service = await startTestService(t, { TESSERA_THROTTLE_AFTER: '0' });
  const anna = await withApp(service);
  anna.pass(MINUTE);
  const browsers = await Promise.all([anna.atSecondStep(), anna.atSecondStep(), anna.atSecondStep()]);
  const statuses = await Promise.all(
    browsers.map(async (browser) => (await browser.post(STEP, { code: anna.code() })).status),
  );
  assert.deepEqual(statuses.toSorted(), [303, 403, 403]);
  assert.equal((await (await anna.atSecondStep()).post(STEP, { code: anna.code() })).status, 403);
});

test('the code that registered the app is used up, too', async (t) => {
  const service = await startTestService(t);
  const anna = await withApp(service);
  assert.equal((await (await anna.atSecondStep()).post(STEP, { code: anna.code() })).status, 403);
});

test('each recovery code works once, and its use is an event', async (t) => {
  const service = await startTestService(t);
  const anna = await withApp(service);
  const [code = ''] = anna.codes;
  const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `;
  assert.equal((await (await anna.atSecondStep()).post(STEP, { code: typed })).status, 303);
  assert.ok((await kindsOf(service)).includes('recovery-code-used'));
  assert.match(await (await anna.visitor.get('/portal/account')).text(), /9 left/);
  assert.equal((await (await anna.atSecondStep()).post(STEP, { code })).status, 403);
  assert.ok((await kindsOf(service)).includes('login-refused: wrong-code'), 'it counts as a failure');
});

test('wrong codes count as wrong passwords: the right password between them clears nothing', async (t) => {
  const service = await startTestService(t, { TESSERA_THROTTLE_AFTER: '3' });
  const anna = await withApp(service);
  anna.pass(MINUTE);
  for (const _ of [1, 2])
    assert.equal((await (await anna.atSecondStep()).post(STEP, { code: '1' })).status, 403);
  const browser = await anna.atSecondStep();
  assert.equal((await browser.post(STEP, { code: '1' })).status, 403);
  const waiting = await browser.post(STEP, { code: anna.code() });
  const text = await waiting.text();
  assert.deepEqual([waiting.status, waiting.headers.get('retry-after')], [429, '1']);
  assert.match(text, /This code is wrong[\s\S]*1 second/);
  assert.ok((await kindsOf(service)).includes('login-refused: wrong-code'));
  anna.pass(MINUTE);
  assert.equal((await browser.post(STEP, { code: anna.code() })).status, 303);
});

test('a pending sign-in ends after ten minutes, with a new password, and with another key', async (t) => {
  const service = await startTestService(t);
  const anna = await withApp(service);
  anna.pass(MINUTE);
  const late = await anna.atSecondStep();
  const changed = await anna.atSecondStep();
  await service.store.write(async ({ users }) => {
    const user = (await users.findByKey('anna')) ?? assert.fail();
    await users.change(user.id, { generation: user.generation + 1 });
  });
  const afterwards = await changed.post(STEP, { code: anna.code() });
  assert.deepEqual([afterwards.status, afterwards.headers.get('location')], [303, '/portal/login']);
  assert.ok(!changed.cookies.has(TICKET));
  anna.pass(10 * MINUTE);
  for (const response of [await late.get(STEP), await late.post(STEP, { code: anna.code() })])
    assert.deepEqual([response.status, response.headers.get('location')], [303, '/portal/login']);
  const forger = new Visitor(service);
  forger.cookies.set('tessera-sign-in', 'AAAA');
  assert.equal((await forger.get(STEP)).headers.get('location'), '/portal/login');
});

test('a wrong password is answered alike for users with and without a second factor', async (t) => {
  const service = await startTestService(t);
  await withApp(service);
  await service.addUser('ben');
  const [anna, ben] = await Promise.all(
    ['anna', 'ben'].map(async (username) => {
      const response = await new Visitor(service).post('/portal/login', { username, password: 'wrong' });
      return [response.status, (await response.text()).replaceAll(username, '')];
    }),
  );
  assert.deepEqual(anna, ben);
});

test('a user who has to choose a new password is asked for the code first, and only once', async (t) => {
  const service = await startTestService(t);
  const anna = await withApp(service);
  anna.pass(MINUTE);
  await service.store.write(async ({ users }) => {
    const user = (await users.findByKey('anna')) ?? assert.fail();
    await users.change(user.id, { mustChangePassword: true });
  });
  const browser = await anna.atSecondStep();
  const asked = await browser.post(STEP, { code: anna.code() });
  assert.equal(readPage(await asked.text()).heading, 'Choose a new password');
  assert.ok(!browser.cookies.has(TICKET));
  const fields = { username: 'anna', oldPassword: PASSWORD, newPassword: 'an even longer, quieter river' };
  const signedIn = await browser.post('/portal/new-password', { ...fields, return: '/portal/account' });
  assert.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, '/portal/account']);
  assert.deepEqual([...browser.cookies.keys()].sort(), [TICKET, `${TICKET}-proof`]);
});

test('the old password alone changes no password of a user with a second factor, and clears no failures', async (t) => {
  const service = await startTestService(t, { TESSERA_THROTTLE_AFTER: '3' });
  const anna = await withApp(service);
  anna.pass(MINUTE);
  for (const mustChangePassword of [false, true]) {
    await service.store.write(async ({ users }) => {
      const user = (await users.findByKey('anna')) ?? assert.fail();
      await users.change(user.id, { mustChangePassword });
    });
    const browser = await anna.atSecondStep();
    assert.equal((await browser.post(STEP, { code: '1' })).status, 403);
    const fields = { username: 'anna', oldPassword: PASSWORD, newPassword: 'an even longer, quieter river' };
    const response = await browser.post('/portal/new-password', { ...fields, return: '/portal' });
    assert.deepEqual([response.status, response.headers.get('location')], [303, STEP]);
    assert.ok(!browser.cookies.has(TICKET));
    assert.equal((await anna.visitor.get('/portal/account')).status, 200, 'its tickets live on');
  }
  const browser = await anna.atSecondStep();
  assert.equal((await browser.post(STEP, { code: '1' })).status, 403);
  assert.match(await (await browser.post(STEP, { code: anna.code() })).text(), /1 second/);
});

test('a second factor that was given counts no longer once the user has changed', async (t) => {
  const service = await startTestService(t);
  const anna = await withApp(service);
  anna.pass(MINUTE);
  const change = (more: object) =>
    service.store.write(async ({ users }) => {
      const user = (await users.findByKey('anna')) ?? assert.fail();
      await users.change(user.id, { generation: user.generation + 1, ...more });
    });
  await change({ mustChangePassword: true });
  const browser = await anna.atSecondStep();
  await browser.post(STEP, { code: anna.code() });
  await change({ mustChangePassword: false });
  const again = await browser.post('/portal/login', { username: 'anna', password: PASSWORD });
  assert.deepEqual([again.status, again.headers.get('location')], [303, STEP]);
});

test('a user removes the app, and new recovery codes replace the old ones, only after a recent proof', async (t) => {
  const service = await startTestService(t);
  const anna = await withApp(service);
  const { visitor, codes } = anna;
  const made = await visitor.send(
    '/portal/account/second-factor/recovery-codes',
    '/portal/account/second-factor/recovery-codes',
  );
  const fresh = await made.text();
  assert.equal(made.status, 200);
  assert.ok(codes.every((code) => !fresh.includes(code)));
  assert.equal((await (await anna.atSecondStep()).post(STEP, { code: codes[0] ?? '' })).status, 403);
  anna.pass(11 * MINUTE);
  for (const path of [
    APP,
    '/portal/account/second-factor/remove-app',
    '/portal/account/second-factor/recovery-codes',
  ]) {
    const response = await visitor.get(path);
    assert.equal(
      response.headers.get('location'),
      `/portal/account/prove?${new URLSearchParams({ return: path })}`,
    );
    const sent = await visitor.send('/portal/account', path, { code: '1', sealed: '1' });
    assert.match(sent.headers.get('location') ?? '', /^\/portal\/account\/prove/, path);
  }
  anna.pass(-2 * MINUTE);
  const removed = await visitor.send(
    '/portal/account/second-factor/remove-app',
    '/portal/account/second-factor/remove-app',
  );
  assert.equal(removed.headers.get('location'), '/portal/account?done=app-removed');
  await new Visitor(service).signIn('anna');
  const { hasSecondFactor, id } =
    (await service.store.read(({ users }) => users.findByKey('anna'))) ?? assert.fail();
  assert.equal(hasSecondFactor, false);
  assert.equal(await service.store.read(({ recoveryCodes }) => recoveryCodes.countOf(id)), 0);
});

test('a form whose sign-in ended comes back filled after the second factor', async (t) => {
  const service = await startTestService(t);
  const { visitor, code, pass } = await withApp(service);
  const page = '/portal/account/app-passwords/add';
  const form = formOn(await (await visitor.get(page)).text(), page);
  pass(120 * MINUTE);
  const late = await visitor.post(page, { ...form, name: 'scanner' });
  assert.equal(late.headers.get('location'), `/portal/login?return=${encodeURIComponent(page)}`);
  await visitor.post('/portal/login', { username: 'anna', password: PASSWORD, return: page });
  const signedIn = await visitor.post(STEP, { code: code() });
  assert.equal(signedIn.headers.get('location'), page);
  assert.equal(formOn(await (await visitor.get(page)).text(), page)?.name, 'scanner');
});
