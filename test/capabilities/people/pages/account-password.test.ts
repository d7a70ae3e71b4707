import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { FROM_OWN_PAGE, Visitor, valueOn } from '../../../faces/pages/browse.ts';
import { onlyElement, textOf } from '../../../faces/pages/markup.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';
import { withApp } from '../../factors/pages/second-factor-browse.ts';

const PAGE = '/portal/account/password';
const NEW = 'an even longer, quieter river';
const GERMAN = { ...FROM_OWN_PAGE, 'Accept-Language': 'de' };

/** A service with the user anna, and browsers in which anna is signed in. */
async function signedIn(t: TestContext, env: Record<string, string> = {}) {
  const service = await startTestService(t, env);
  await service.addUser('anna');
  const visitors = [new Visitor(service), new Visitor(service)] as const;
  for (const visitor of visitors) await visitor.signIn('anna');
  return { service, visitor: visitors[0], other: visitors[1] };
}

const isSignedIn = async (visitor: Visitor) => (await visitor.get('/portal/account')).status === 200;

const apiLogin = async ({ url }: TestService, password: string) => {
  const body = JSON.stringify({ username: 'anna', password });
  return (await fetch(`${url}/api/login`, { method: 'POST', body })).status;
};

test('a user changes the password: it ends the other sign-ins, and this browser goes on', async (t) => {
  const { service, visitor, other } = await signedIn(t);
  const changed = await visitor.send(PAGE, PAGE, { oldPassword: PASSWORD, newPassword: NEW });
  assert.equal(changed.status, 303);
  const to = changed.headers.get('location') as string;
  const notice = onlyElement(await (await visitor.get(to)).text(), 'div', { role: 'status' });
  assert.match(textOf(notice), /^Your password is changed/);
  assert.equal(await isSignedIn(other), false);
  assert.equal(await apiLogin(service, PASSWORD), 403);
  assert.equal(await apiLogin(service, NEW), 200);
  const [event] = await service.store.read(({ events }) =>
    events.latest({ kind: 'password-changed', limit: 1 }),
  );
  assert.deepEqual([event?.user, event?.actor, event?.from], ['anna', 'anna', '127.0.0.1']);
});

test('the account page tells nothing that its address makes up', async (t) => {
  const { visitor } = await signedIn(t);
  for (const done of ['constructor', '<b>', 'Your+account+is+locked']) {
    const page = await (await visitor.get(`/portal/account?done=${done}`)).text();
    assert.deepEqual(readPage(page).notices, [], done);
  }
});

test('a refused change shows the form again with the reason at its field, and never a password', async (t) => {
  const { service, visitor } = await signedIn(t);
  const refused: [Record<string, string>, number, string, RegExp][] = [
    [{ oldPassword: 'not <this> one', newPassword: NEW }, 401, 'oldPassword', /^The current/],
    [{ oldPassword: '', newPassword: NEW }, 400, 'oldPassword', /^Enter your/],
    [{ oldPassword: PASSWORD, newPassword: '' }, 400, 'newPassword', /^Enter the/],
    [{ oldPassword: PASSWORD, newPassword: 'x7#qL' }, 400, 'newPassword', /^This password has 5 characters/],
    [{ oldPassword: PASSWORD, newPassword: 'passwordpassword' }, 400, 'newPassword', /made of repetitions/],
  ];
  for (const [fields, status, field, why] of refused) {
    const response = await visitor.send(PAGE, PAGE, fields);
    assert.equal(response.status, status, String(why));
    const page = await response.text();
    const { fieldFaults, links } = readPage(page);
    assert.match(fieldFaults.get(field) ?? '', why);
    onlyElement(page, 'div', { role: 'alert' });
    assert.ok(links.some(({ to }) => to === '/portal/account'));
    for (const value of Object.values(fields)) assert.ok(value === '' || !page.includes(value), String(why));
  }
  assert.equal(await apiLogin(service, PASSWORD), 200, 'the password is the old one');
  const sent = {
    oldPassword: PASSWORD,
    newPassword: 'qwertyuiopasdfgh',
    formToken: await visitor.formToken(PAGE),
  };
  assert.match(
    await (await visitor.post(PAGE, sent, GERMAN)).text(),
    /leicht zu erraten, denn es besteht aus häufigen Passwörtern oder Wörtern/,
  );
  assert.ok(!service.lines.join('\n').includes('qwertyuiop'));
});

test('the form that is shown again can be sent', async (t) => {
  const { visitor } = await signedIn(t);
  const again = await (await visitor.send(PAGE, PAGE, { oldPassword: 'x', newPassword: NEW })).text();
  const formToken = valueOn(again, 'formToken') ?? assert.fail(again);
  const sent = await visitor.post(PAGE, { oldPassword: PASSWORD, newPassword: NEW, formToken });
  assert.equal(sent.status, 303);
});

test('a form without the token of the ticket costs no hash and counts no failure', async (t) => {
  const { service, visitor, other } = await signedIn(t);
  const fields = { oldPassword: 'wrong', newPassword: NEW };
  const own = await other.formToken(PAGE);
  assert.equal((await visitor.post(PAGE, fields)).status, 400);
  for (const formToken of ['x', own]) {
    const refused = await visitor.post(PAGE, { ...fields, formToken });
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /This page belongs to an earlier sign-in/);
  }
  const foreign = await visitor.post(PAGE, { ...fields, formToken: await visitor.formToken(PAGE) }, {});
  assert.equal(foreign.status, 403);
  const failures = await service.store.read(({ events }) =>
    events.latest({ kind: 'login-refused', limit: 9 }),
  );
  assert.deepEqual(failures, []);
});

test('a wrong old password counts like a refused sign-in, and who has to wait reads for how long', async (t) => {
  const { service, visitor } = await signedIn(t, { TESSERA_THROTTLE_AFTER: '1' });
  service.stopClock();
  const wrong = { oldPassword: 'wrong', newPassword: NEW };
  await visitor.send(PAGE, PAGE, wrong);
  const waiting = await visitor.send(PAGE, PAGE, { ...wrong, oldPassword: PASSWORD });
  assert.match(await waiting.text(), /Wait \d+ seconds?\./);
  const [event] = await service.store.read(({ events }) =>
    events.latest({ kind: 'login-refused', limit: 1 }),
  );
  assert.equal(event?.user, 'anna');
});

test('a user without a password is told that there is none to change', async (t) => {
  const service = await startTestService(t);
  await service.addUser('guest', { password: undefined });
  const visitor = new Visitor(service);
  await visitor.signIn('guest');
  const refused = await visitor.send(PAGE, PAGE, { oldPassword: 'x', newPassword: NEW });
  assert.equal(refused.status, 403);
  assert.match(await refused.text(), /This account has no password that you can change/);
});

test('the strength of a new password is told as the rules see it, in the language of the reader', async (t) => {
  const { service, visitor } = await signedIn(t);
  const formToken = await visitor.formToken(PAGE);
  const strengthOf = async (password: string, headers = FROM_OWN_PAGE as Record<string, string>) => {
    const response = await visitor.post('/portal/password-strength', { password, formToken }, headers);
    assert.equal(response.status, 200);
    return (await response.json()) as { level: number; sentence: string };
  };
  assert.deepEqual(await strengthOf(NEW), { level: 4, sentence: 'This password is hard to guess.' });
  assert.match((await strengthOf('x7#qL')).sentence, /This password has 5 characters. It needs at least \d+/);
  assert.match((await strengthOf('anna-anna-anna-1')).sentence, /little more than your name|repetitions/);
  assert.match((await strengthOf(NEW, GERMAN)).sentence, /schwer zu erraten/);
  assert.ok(!service.lines.join('\n').includes(NEW));
  const strangers = await new Visitor(service).post('/portal/password-strength', {
    password: NEW,
    formToken,
  });
  assert.equal(strangers.status, 303);
  assert.equal(
    (await visitor.post('/portal/password-strength', { password: NEW, formToken: 'x' })).status,
    403,
  );
});

test('questions about strength are limited, so that they slow no sign-in down', async (t) => {
  const { service, visitor } = await signedIn(t);
  const fields = { password: 'x', formToken: await visitor.formToken(PAGE) };
  service.stopClock();
  const ask = async () => (await visitor.post('/portal/password-strength', fields)).status;
  const statuses = [];
  for (let at = 0; at < 22; at += 1) statuses.push(await ask());
  assert.equal(statuses.at(0), 200);
  assert.equal(statuses.at(-1), 503);
  service.shiftClock(1_000);
  assert.equal(await ask(), 200);
});

test('a user with a second factor changes the password only after a recent proof', async (t) => {
  const service = await startTestService(t);
  const { visitor, pass } = await withApp(service);
  const fields = { oldPassword: PASSWORD, newPassword: NEW };
  pass(11 * 60_000);
  const prove = `/portal/account/prove?${new URLSearchParams({ return: PAGE })}`;
  assert.equal((await visitor.get(PAGE)).headers.get('location'), prove);
  const sent = await visitor.send('/portal/account', PAGE, fields);
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, prove]);
  pass(-2 * 60_000);
  const changed = await visitor.send(PAGE, PAGE, fields);
  assert.equal(changed.headers.get('location'), '/portal/account?done=password');
});
