import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PasskeyVisitor } from '../../capabilities/factors/pages/passkey-visitor.ts';
import { registerApp } from '../../capabilities/factors/pages/second-factor-browse.ts';
import { PASSWORD, startTestService, type TestService } from '../../service/start.ts';
import { formOn, Visitor } from './browse.ts';
import { attributeOf, elementsNamed, onlyElement, textOf } from './markup.ts';
import { readPage } from './read-page.ts';

const PAGE = '/portal/account/not-me';
const ACCOUNT = '/portal/account';
const NEW = 'an even longer, quieter river';
const CHANGE = { oldPassword: PASSWORD, newPassword: NEW };

/** The form on the page, as a browser without JavaScript sends it. */
const fieldsOn = (text: string) => formOn(text, PAGE) ?? assert.fail(text);

/** The name of the box that removes what this label says. */
function boxOf(text: string, label: string): string {
  const found = elementsNamed(text, 'label').find((each) => textOf(each).startsWith(label));
  const id = found && attributeOf(found, 'for');
  return /^field-(remove-\d+)$/.exec(id ?? '')?.[1] ?? assert.fail(`${label}: ${text}`);
}

/** Makes app passwords of the signed-in user. Returns them by name. */
async function makeAppPasswords(visitor: Visitor, ...names: readonly string[]): Promise<Map<string, string>> {
  const add = '/portal/account/app-passwords/add';
  const made = new Map<string, string>();
  for (const name of names) {
    const text = await (await visitor.send(add, add, { name, days: '30' })).text();
    made.set(name, /tap_[a-z2-7]{32}/.exec(text)?.[0] ?? assert.fail(text));
  }
  return made;
}

const logInAs = async ({ url }: TestService, username: string, password = '') =>
  (await fetch(`${url}/api/login`, { method: 'POST', body: JSON.stringify({ username, password }) })).status;

const kindsOf = async ({ store }: TestService) =>
  (await store.read(({ events }) => events.latest({ limit: 30 }))).map(
    ({ kind, reason }) => `${kind}: ${reason}`,
  );

/** A user with two app passwords, a passkey, an authenticator app and recovery codes, and another browser of it. */
async function withEverything(t: TestContext) {
  const service = await startTestService(t);
  service.stopClock();
  await service.addUser('anna');
  const visitor = new PasskeyVisitor(service);
  await visitor.signIn('anna');
  const other = new PasskeyVisitor(service);
  await other.signIn('anna');
  const appPasswords = await makeAppPasswords(visitor, 'scanner', 'phone <1>');
  const { challenge } = await visitor.creationOptions();
  await visitor.sendRegistration('laptop', { challenge });
  await registerApp(visitor, Date.now());
  return { service, visitor, other, appPasswords };
}

const open = async (visitor: Visitor, path = PAGE) => (await visitor.get(path)).text();

test('"This was not me" ends all other sign-ins and, unless the user unticks them, removes app passwords', async (t) => {
  const { service, visitor, other, appPasswords } = await withEverything(t);
  const { links } = readPage(await open(visitor, ACCOUNT));
  assert.equal(links.find((link) => link.text === 'This was not me')?.to, PAGE);
  const text = await open(visitor);
  for (const label of ['app password scanner', 'passkey laptop', 'Authenticator app', 'recovery codes'])
    boxOf(text, label);
  const changed = await visitor.post(PAGE, { ...fieldsOn(text), ...CHANGE });
  assert.equal(changed.status, 303);
  for (const password of appPasswords.values()) assert.equal(await logInAs(service, 'anna', password), 403);
  assert.equal((await other.get(ACCOUNT)).status, 303);
  const told = await open(visitor, changed.headers.get('location') ?? '');
  assert.match(told, /Your password is changed\. All your other sign-ins have ended/);
  assert.match(told, /can still sign in as you, without your password: passkey laptop\./);
  const kinds = await kindsOf(service);
  for (const name of appPasswords.keys())
    assert.ok(kinds.includes(`app-password-removed: ${name}`), kinds.join('\n'));
});

test('what the user unticks stays, and the page says what still signs in', async (t) => {
  const { service, visitor, appPasswords } = await withEverything(t);
  const text = await open(visitor);
  const { [boxOf(text, 'app password scanner')]: _, ...fields } = fieldsOn(text);
  const ticks = { [boxOf(text, 'passkey laptop')]: 'true', [boxOf(text, 'recovery codes')]: 'true' };
  const changed = await visitor.post(PAGE, { ...fields, ...ticks, ...CHANGE });
  const told = await open(visitor, changed.headers.get('location') ?? '');
  assert.match(told, /without your password: app password scanner\./);
  assert.equal(await logInAs(service, 'anna', appPasswords.get('scanner')), 200);
  assert.equal(await logInAs(service, 'anna', appPasswords.get('phone <1>')), 403);
  const kinds = await kindsOf(service);
  assert.ok(kinds.includes('second-factor-removed: passkey laptop'), kinds.join('\n'));
  assert.ok(kinds.includes('second-factor-removed: recovery codes'), kinds.join('\n'));
  assert.ok(!kinds.includes('second-factor-removed: authenticator app'), kinds.join('\n'));
});

test('if nothing else can sign in, the page says so', async (t) => {
  const { visitor } = await withEverything(t);
  const text = await open(visitor);
  const ticks = { [boxOf(text, 'passkey laptop')]: 'true' };
  const changed = await visitor.post(PAGE, { ...fieldsOn(text), ...ticks, ...CHANGE });
  const told = await open(visitor, changed.headers.get('location') ?? '');
  assert.match(told, /no app password and no passkey that could still sign in as you/);
  assert.match(told, /Your authenticator app and \d+ recovery codes are as before/);
});

test('a refused form removes nothing, and comes back with the ticks as they were sent', async (t) => {
  const { service, visitor, other, appPasswords } = await withEverything(t);
  const text = await open(visitor);
  const box = boxOf(text, 'app password scanner');
  const { [box]: _, ...fields } = fieldsOn(text);
  for (const [sent, status] of [
    [{ ...CHANGE, oldPassword: 'not this one' }, 401],
    [{ ...CHANGE, newPassword: 'short' }, 400],
    [{ oldPassword: PASSWORD }, 400],
    [{ newPassword: NEW }, 400],
    [{}, 400],
  ] as const) {
    const refused = await visitor.post(PAGE, { ...fields, ...sent });
    assert.equal(refused.status, status, JSON.stringify(sent));
    const again = await refused.text();
    onlyElement(again, 'div', { role: 'alert' });
    assert.deepEqual(fieldsOn(again), fields, JSON.stringify(sent));
  }
  assert.equal(await logInAs(service, 'anna', appPasswords.get('phone <1>')), 200);
  assert.equal((await other.get(ACCOUNT)).status, 200);
});

test('the page needs the proof that a change of a second factor needs', async (t) => {
  const { service, visitor } = await withEverything(t);
  const fields = fieldsOn(await open(visitor));
  service.shiftClock(11 * 60_000);
  const prove = `/portal/account/prove?${new URLSearchParams({ return: PAGE })}`;
  assert.equal((await visitor.get(PAGE)).headers.get('location'), prove);
  const sent = await visitor.post(PAGE, { ...fields, ...CHANGE });
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, prove]);
});

test('a form names credentials of its own user alone', async (t) => {
  const { service, visitor, appPasswords } = await withEverything(t);
  await service.addUser('ben');
  const attacker = new Visitor(service);
  await attacker.signIn('ben');
  const { formToken: _, ...own } = fieldsOn(await open(visitor));
  const ticks = Object.fromEntries([0, 1, 2, 3, 4].map((at) => [`remove-${at}`, 'true']));
  const sent = await attacker.send(PAGE, PAGE, { ...own, ...ticks, ...CHANGE });
  assert.equal(sent.status, 303);
  assert.equal(await logInAs(service, 'anna', appPasswords.get('scanner')), 200);
  assert.match(await open(visitor, ACCOUNT), /laptop/);
});

test('after an ordinary change of the password the page names what still signs in', async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  await makeAppPasswords(visitor, 'scanner');
  const page = '/portal/account/password';
  const changed = await visitor.send(page, page, CHANGE);
  const told = await open(visitor, changed.headers.get('location') ?? '');
  assert.match(told, /without your password: app password scanner\./);
});

test('a user whose password is elsewhere ends all other sign-ins and removes app passwords here', async (t) => {
  const { service, visitor, other } = await withEverything(t);
  const keptOf = (name: string) =>
    service.store.write(async ({ users, appPasswords }) => {
      const { id } = (await users.findByKey(name)) ?? assert.fail(name);
      await users.change(id, { provider: 'ldap', passwordHash: undefined });
      return appPasswords.ofUser(id);
    });
  assert.equal((await keptOf('anna')).length, 2);
  const text = await open(visitor);
  assert.match(text, /change your password where it is kept/);
  assert.equal(elementsNamed(text, 'input', { type: 'password' }).length, 0);
  const ended = await visitor.post(PAGE, fieldsOn(text));
  const told = await open(visitor, ended.headers.get('location') ?? '');
  assert.match(told, /All your other sign-ins have ended/);
  assert.doesNotMatch(told, /Your password is changed/);
  assert.deepEqual(await keptOf('anna'), []);
  assert.equal((await other.get(ACCOUNT)).status, 303);
});
