import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { FROM_OWN_PAGE, Visitor } from './browse.ts';
import { attributeOf, elementsNamed } from './markup.ts';
import { readPage } from './read-page.ts';

const NEW = 'an even longer, quieter river';
const CHANGE = '/portal/new-password';
const SIGN_IN = { username: 'anna', password: PASSWORD, return: '/portal/account?a=b' };

/** A service with the user anna, whose password an administrator set, and a browser. */
async function startWithNewPassword(t: TestContext, env: Record<string, string> = {}) {
  const service = await startTestService(t, env);
  await service.addUser('anna');
  await service.store.write(async ({ users }) => {
    const user = (await users.findByKey('anna')) ?? assert.fail('there is no anna');
    await users.change(user.id, { mustChangePassword: true });
  });
  const login = async (password: string) => {
    const body = JSON.stringify({ username: 'anna', password });
    return (await fetch(`${service.url}/api/login`, { method: 'POST', body })).status;
  };
  const kinds = async () =>
    (await service.store.read(({ events }) => events.latest({ limit: 9 }))).map(({ kind }) => kind);
  return { service, login, kinds, visitor: new Visitor(service) };
}

/** The hidden members of the form on a page. */
const hiddenOf = (page: string) =>
  Object.fromEntries(
    elementsNamed(page, 'input', { type: 'hidden' }).map((input) => [
      attributeOf(input, 'name'),
      attributeOf(input, 'value'),
    ]),
  ) as Record<string, string>;

test('a sign-in with a password that an administrator set asks for a new one, and gives no ticket before', async (t) => {
  const { service, visitor, login, kinds } = await startWithNewPassword(t);
  const asked = await visitor.post('/portal/login', SIGN_IN);
  assert.equal(asked.status, 403);
  assert.equal(visitor.cookies.size, 0);
  assert.ok(!(await kinds()).includes('login'), 'no ticket was issued');
  const page = await asked.text();
  assert.equal(readPage(page).heading, 'Choose a new password');
  assert.ok(!page.includes(PASSWORD));
  assert.deepEqual(hiddenOf(page), { username: 'anna', return: '/portal/account?a=b' });
  const signedIn = await visitor.post(CHANGE, { ...hiddenOf(page), oldPassword: PASSWORD, newPassword: NEW });
  assert.equal(signedIn.status, 303);
  assert.equal(signedIn.headers.get('location'), '/portal/account?a=b');
  assert.equal((await visitor.get('/portal/account')).status, 200);
  assert.deepEqual((await kinds()).filter((kind) => kind !== 'user-added').toSorted(), [
    'login',
    'password-changed',
  ]);
  assert.equal(await login(PASSWORD), 403);
  const next = new Visitor(service);
  await next.signIn('anna', NEW);
});

test('programs go on with the password that an administrator set', async (t) => {
  const { visitor, login } = await startWithNewPassword(t);
  assert.equal(await login(PASSWORD), 200);
  assert.equal((await visitor.post('/portal/login', SIGN_IN)).status, 403);
  assert.equal(await login(PASSWORD), 200);
});

test('a new password that is refused is asked for again, and nothing has changed', async (t) => {
  const { visitor, login } = await startWithNewPassword(t);
  const { password: oldPassword, ...named } = SIGN_IN;
  const refused: [Record<string, string>, number, string, RegExp][] = [
    [{ oldPassword, newPassword: oldPassword }, 400, 'newPassword', /^This is the old password/],
    [{ oldPassword, newPassword: 'passwordpassword' }, 400, 'newPassword', /made of repetitions/],
    [{ oldPassword: 'wrong', newPassword: NEW }, 401, 'oldPassword', /^The current password is wrong/],
    [{ oldPassword, newPassword: '' }, 400, 'newPassword', /^Enter the new password/],
  ];
  for (const [fields, status, field, why] of refused) {
    const response = await visitor.post(CHANGE, { ...named, ...fields });
    assert.equal(response.status, status, String(why));
    const page = await response.text();
    assert.match(readPage(page).fieldFaults.get(field) ?? '', why);
    assert.deepEqual(hiddenOf(page), named);
    assert.equal(visitor.cookies.size, 0);
  }
  assert.equal(await login(PASSWORD), 200);
  assert.equal((await visitor.post('/portal/login', SIGN_IN)).status, 403, 'a new password is still needed');
});

test('guessing at the new-password page counts like refused sign-ins, and tells no name', async (t) => {
  const { service, visitor } = await startWithNewPassword(t, { TESSERA_THROTTLE_AFTER: '1' });
  service.stopClock();
  const guess = async (username: string, oldPassword = 'wrong') => {
    const response = await visitor.post(CHANGE, { username, oldPassword, newPassword: NEW });
    return (await response.text()).replaceAll(username, 'NAME');
  };
  assert.equal(await guess('anna'), await guess('nemo'));
  assert.match(await guess('anna', PASSWORD), /Wait \d+ seconds?\./);
});

test('the page is German for a German reader, escapes the name, and its form comes from this host only', async (t) => {
  const { visitor, service } = await startWithNewPassword(t);
  await service.addUser('<b>');
  const user = await service.store.read(({ users }) => users.findByKey('<b>'));
  await service.store.write(({ users }) => users.change(user?.id ?? 0, { mustChangePassword: true }));
  const german = await visitor.post(
    '/portal/login',
    { username: '<b>', password: PASSWORD },
    { ...FROM_OWN_PAGE, 'Accept-Language': 'de' },
  );
  const page = await german.text();
  assert.match(readPage(page).text, /Neues Passwort wählen.*Das Passwort von <b> hat jemand anders gesetzt/);
  assert.ok(!page.includes('<b>'));
  const fields = { username: 'anna', oldPassword: PASSWORD, newPassword: NEW };
  for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, {}])
    assert.equal((await visitor.post(CHANGE, fields, headers)).status, 403);
  assert.equal(visitor.cookies.size, 0);
});

test('the ticket that the browser brought ends with the sign-in', async (t) => {
  const { visitor, service } = await startWithNewPassword(t);
  await service.addUser('mallory');
  const attacker = new Visitor(service);
  await attacker.signIn('mallory');
  visitor.cookies.set('tessera', attacker.cookies.get('tessera') as string);
  await visitor.post(CHANGE, { username: 'anna', oldPassword: PASSWORD, newPassword: NEW });
  assert.equal((await attacker.get('/portal/account')).status, 303);
  assert.equal((await visitor.get('/portal/account')).status, 200);
});

test('over plain http, where no browser may keep a ticket, no password is changed', async (t) => {
  const { visitor, login } = await startWithNewPassword(t, { TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  const fields = { username: 'anna', oldPassword: PASSWORD, newPassword: NEW };
  const far = { ...FROM_OWN_PAGE, 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Host': 'tessera.example.org' };
  assert.equal((await visitor.post(CHANGE, fields, far)).status, 403);
  assert.equal(await login(PASSWORD), 200);
});
