import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { openText, Sealer, sealedText, sealingKey } from '../../../src/core/sealing/sealer.ts';
import { cookieSealerFor } from '../../../src/main/assembly.ts';
import { CAPABILITIES } from '../../../src/main/capabilities.ts';
import { pagesWith } from '../../../src/main/pages.ts';
import { signedInAs, startConsole, textOf } from '../../capabilities/admin/pages/console-service.ts';
import { PASSWORD, type TestService } from '../../service/start.ts';
import { FROM_OWN_PAGE, formOn, Visitor } from './browse.ts';

const ANNA_EDIT = '/portal/console/users/anna/edit';
const STAFF_EDIT = '/portal/console/groups/staff/edit';
const ADD_USER = '/portal/console/add-user';
const ADD_GROUP = '/portal/console/add-group';
const COOKIE = 'tessera-form';
const SENTENCE = 'Your sign-in ended before you sent this form, so nothing was changed.';
/** Longer than a ticket lives without use. */
const TWO_HOURS = 2 * 60 * 60_000;
const ELEVEN_MINUTES = 11 * 60_000;

/** A console with the user anna and the group staff. */
async function consoleWithAnna(t: TestContext) {
  const { service, visitor } = await startConsole(t);
  await service.addUser('anna');
  await visitor.send(ADD_GROUP, ADD_GROUP, { name: 'staff' });
  return { service, visitor };
}

/** The form of a page, for a browser that sends it later. */
const opened = async (visitor: Visitor, page: string) =>
  formOn(await textOf(visitor, page), page) ?? assert.fail(`no form on ${page}`);

const loginTo = (page: string) => `/portal/login?return=${encodeURIComponent(page)}`;

/** Writes this into the form of a page, and sends it when the ticket has ended. */
async function sendTooLate(
  { service, visitor }: { service: TestService; visitor: Visitor },
  page: string,
  written: Record<string, string>,
): Promise<Response> {
  const form = await opened(visitor, page);
  service.shiftClock(TWO_HOURS);
  return visitor.post(page, { ...form, ...written });
}

/** The profile of anna, as the store has it. */
const profileOfAnna = async ({ store }: TestService) =>
  store.read(async ({ users, profiles }) => {
    const { id } = (await users.findByKey('anna')) ?? assert.fail('no anna');
    return profiles.find(id);
  });

test('a form that came too late is shown filled after the sign-in, and performs nothing by itself', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  const written = { firstName: 'Anna <b>', lastName: 'Mühl' };
  const late = await sendTooLate({ service, visitor }, ANNA_EDIT, written);
  assert.equal(late.status, 303);
  assert.equal(late.headers.get('location'), loginTo(ANNA_EDIT));
  const [cookie = ''] = late.headers.getSetCookie();
  assert.match(cookie, /^tessera-form=[\w-]{1,3072}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  const signedIn = await visitor.post('/portal/login', {
    ...{ username: 'admin', password: 'correct-horse-battery', return: ANNA_EDIT },
  });
  assert.equal(signedIn.headers.get('location'), ANNA_EDIT);
  const text = await textOf(visitor, ANNA_EDIT);
  assert.ok(text.includes(SENTENCE), text);
  const again = formOn(text, ANNA_EDIT) ?? assert.fail(text);
  assert.deepEqual([again.firstName, again.lastName], ['Anna <b>', 'Mühl']);
  assert.equal((await profileOfAnna(service))?.firstName, undefined);
  // It is shown once.
  assert.equal(visitor.cookies.has(COOKIE), false);
  assert.ok(!(await textOf(visitor, ANNA_EDIT)).includes(SENTENCE));
  assert.equal((await visitor.post(ANNA_EDIT, again)).status, 303);
  assert.equal((await profileOfAnna(service))?.firstName, 'Anna <b>');
});

test('it says so in German too', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  await sendTooLate({ service, visitor }, ADD_USER, { userName: 'new' });
  await visitor.signIn('admin');
  const text = await textOf(visitor, ADD_USER, { 'Accept-Language': 'de' });
  assert.match(text, /Ihre Anmeldung war zu Ende.*Ein Passwort wird nicht aufbewahrt/s);
});

/** The further pages whose forms are kept, and what somebody may write there. */
const KEPT = [
  [ADD_USER, { userName: 'new', email: 'new@example.org', role: 'auditor' }],
  [ADD_GROUP, { name: 'crew', displayName: 'The crew', role: 'operator' }],
  [STAFF_EDIT, { displayName: 'All of us', role: 'auditor' }],
  ['/portal/console/add-client', { name: 'wiki' }],
  ['/portal/console/add-api-key', { name: 'backup', role: 'operator', lastDay: '2099-01-31' }],
  ['/portal/console/users/anna/add-app-password', { name: 'scanner', days: '30', addresses: '192.0.2.7' }],
  ['/portal/account/app-passwords/add', { name: 'mail', days: 'never', addresses: '192.0.2.0/24' }],
] as const satisfies readonly (readonly [string, Record<string, string>])[];

for (const [page, written] of KEPT) {
  test(`${page}: what was written is in the form after the sign-in`, async (t) => {
    const { service, visitor } = await consoleWithAnna(t);
    const late = await sendTooLate({ service, visitor }, page, written);
    assert.equal(late.headers.get('location'), loginTo(page));
    await visitor.signIn('admin');
    const text = await textOf(visitor, page);
    assert.ok(text.includes(SENTENCE), text);
    const { formToken, formOwner, was, ...fields } = formOn(text, page) ?? assert.fail(text);
    // A box that was ticked stays ticked, and one that was not stays so.
    const { mustChangePassword, password, ...values } = fields;
    const blank = Object.entries(values).filter(([, value]) => value === '');
    assert.deepEqual(values, { ...Object.fromEntries(blank), ...written });
  });
}

test('a box that was not ticked is not ticked again', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  const { mustChangePassword: _, ...form } = await opened(visitor, ADD_USER);
  service.shiftClock(TWO_HOURS);
  await visitor.post(ADD_USER, { ...form, userName: 'new' });
  await visitor.signIn('admin');
  assert.equal(formOn(await textOf(visitor, ADD_USER), ADD_USER)?.mustChangePassword, undefined);
});

test('a change by somebody else in between is a conflict when the form is sent again', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  await sendTooLate({ service, visitor }, ANNA_EDIT, { firstName: 'Mine' });
  const other = new Visitor(service);
  await other.signIn('admin');
  await other.send(ANNA_EDIT, ANNA_EDIT, { firstName: 'Theirs', role: 'operator' });
  await visitor.signIn('admin');
  const again = formOn(await textOf(visitor, ANNA_EDIT), ANNA_EDIT) ?? assert.fail('no form');
  const conflict = await visitor.post(ANNA_EDIT, again);
  assert.equal(conflict.status, 409);
  const text = await conflict.text();
  assert.match(text, /it is “Theirs” now\. You wrote “Mine”/);
  assert.equal(formOn(text, ANNA_EDIT)?.role, 'operator');
});

test('another user who signs in is never shown the form, and the browser forgets it', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  await service.addUser('ben', { administrator: true });
  await sendTooLate({ service, visitor }, ANNA_EDIT, { firstName: 'Secret plan' });
  await visitor.signIn('ben');
  const text = await textOf(visitor, ANNA_EDIT);
  assert.ok(!text.includes('Secret plan') && !text.includes(SENTENCE), text);
  assert.equal(visitor.cookies.has(COOKIE), false);
});

test('a new user who has the name of a removed one is not shown the form', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  await service.addUser('ben', { administrator: true });
  const ben = new Visitor(service);
  await ben.signIn('ben');
  await sendTooLate({ service, visitor: ben }, ANNA_EDIT, { firstName: 'Secret plan' });
  await visitor.signIn('admin');
  const remove = '/portal/console/users/ben/remove';
  assert.equal((await visitor.send(remove, remove, { typed: 'ben' })).status, 303);
  await service.addUser('ben', { administrator: true });
  await ben.signIn('ben');
  assert.ok(!(await textOf(ben, ANNA_EDIT)).includes('Secret plan'));
});

test('a user who lost the role meanwhile is not shown the form', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  await service.addUser('ben', { administrator: true });
  const ben = new Visitor(service);
  await ben.signIn('ben');
  await sendTooLate({ service, visitor: ben }, ANNA_EDIT, { firstName: 'Secret plan' });
  await visitor.signIn('admin');
  await visitor.send('/portal/console/users/ben/edit', '/portal/console/users/ben/edit', { role: 'none' });
  await ben.signIn('ben');
  const refused = await ben.get(ANNA_EDIT);
  assert.equal(refused.status, 403);
  assert.ok(!(await refused.text()).includes('Secret plan'));
});

test('a form of an earlier sign-in of the same user is shown filled at once, one of another user is refused', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  await service.addUser('ben', { administrator: true });
  const form = { ...(await opened(visitor, ANNA_EDIT)), firstName: 'Written before' };
  await visitor.signIn('admin');
  const again = await visitor.post(ANNA_EDIT, form);
  assert.deepEqual([again.status, again.headers.get('location')], [303, ANNA_EDIT]);
  assert.equal(formOn(await textOf(visitor, ANNA_EDIT), ANNA_EDIT)?.firstName, 'Written before');
  assert.equal((await profileOfAnna(service))?.firstName, undefined);
  await visitor.signIn('ben');
  const refused = await visitor.post(ANNA_EDIT, form);
  assert.equal(refused.status, 403);
  assert.deepEqual(refused.headers.getSetCookie(), []);
});

test('a form is kept if somebody else ended its sign-in, not if the browser was signed out on purpose', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  const form = { ...(await opened(visitor, ANNA_EDIT)), firstName: 'Kept' };
  const other = new Visitor(service);
  await other.signIn('admin');
  const end = '/portal/console/users/admin/end-tickets';
  assert.equal((await other.send('/portal/console/users/admin', end)).status, 303);
  assert.equal((await visitor.post(ANNA_EDIT, form)).headers.get('location'), loginTo(ANNA_EDIT));
  await visitor.signIn('admin');
  assert.equal(formOn(await textOf(visitor, ANNA_EDIT), ANNA_EDIT)?.firstName, 'Kept');
  await visitor.send('/portal/account', '/portal/logout');
  const left = await visitor.post(ANNA_EDIT, form);
  assert.deepEqual([left.headers.get('location'), left.headers.getSetCookie()], [loginTo('/portal'), []]);
});

test('of two tabs the form that was sent last is kept', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  const [first, second] = [await opened(visitor, ANNA_EDIT), await opened(visitor, STAFF_EDIT)];
  service.shiftClock(TWO_HOURS);
  await visitor.post(ANNA_EDIT, { ...first, firstName: 'First' });
  await visitor.post(STAFF_EDIT, { ...second, displayName: 'Second' });
  await visitor.signIn('admin');
  assert.ok(!(await textOf(visitor, ANNA_EDIT)).includes(SENTENCE));
  assert.equal(formOn(await textOf(visitor, STAFF_EDIT), STAFF_EDIT)?.displayName, 'Second');
});

test('a disabled user is not shown the form, and a reader of its browser is not either', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  await service.addUser('ben', { administrator: true });
  await sendTooLate({ service, visitor }, ANNA_EDIT, { firstName: 'Secret plan' });
  const ben = new Visitor(service);
  await ben.signIn('ben');
  const disable = '/portal/console/users/admin/disable';
  assert.equal((await ben.send(disable, disable)).status, 303);
  const refused = await visitor.post('/portal/login', { username: 'admin', password: PASSWORD });
  assert.equal(refused.status, 403);
  assert.ok(!(await refused.text()).includes('Secret plan'));
  assert.equal((await visitor.get(ANNA_EDIT)).headers.get('location'), loginTo(ANNA_EDIT));
});

test('a form of another site, and one that says nothing of its user or is forged, is not kept', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  const { formOwner = '', ...shown } = await opened(visitor, ANNA_EDIT);
  const unnamed = { ...shown, firstName: 'Planted' };
  const form = { ...unnamed, formOwner };
  service.shiftClock(TWO_HOURS);
  for (const from of [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
  ]) {
    const refused = await visitor.post(ANNA_EDIT, form, from);
    assert.equal(refused.status, 403);
    assert.deepEqual(refused.headers.getSetCookie(), []);
  }
  const forged = `${formOwner.slice(0, -2)}${formOwner.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const each of [unnamed, { ...form, formOwner: forged }, { ...form, formOwner: 'x' }]) {
    const late = await visitor.post(ANNA_EDIT, each);
    assert.equal(late.headers.get('location'), loginTo('/portal'));
    assert.deepEqual(late.headers.getSetCookie(), []);
  }
});

test('a cookie that is forged, sealed by another key, of another page or for another purpose fills no form', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  await service.addUser('ben');
  await sendTooLate({ service, visitor }, ANNA_EDIT, { firstName: 'Written' });
  const sealed = visitor.cookies.get(COOKIE) ?? assert.fail('no cookie');
  await visitor.signIn('admin');
  const isFilled = async (page: string, value: string) => {
    visitor.cookies.set(COOKIE, value);
    const text = await textOf(visitor, page);
    return text.includes(SENTENCE) || text.includes('value="Written"');
  };
  assert.equal(await isFilled('/portal/console/users/ben/edit', sealed), false);
  assert.equal(visitor.cookies.get(COOKIE), sealed, 'the page of the form may still show it');
  const { formOwner = '' } = await opened(visitor, STAFF_EDIT);
  const now = Date.now() + TWO_HOURS;
  const opens = openText(cookieSealerFor(service.settings), 'form', sealed, now) ?? assert.fail('not sealed');
  const otherKey = new Sealer(() => [sealingKey(randomBytes(32))]);
  const forgeries = [`${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`, 'x', formOwner];
  for (const forged of [...forgeries, sealedText(otherKey, 'form', opens, now + TWO_HOURS)])
    assert.equal(await isFilled(ANNA_EDIT, forged), false, forged);
  assert.equal(await isFilled(ANNA_EDIT, sealed), true);
});

test('a form is forgotten after ten minutes, even if the browser keeps its cookie', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  await sendTooLate({ service, visitor }, ANNA_EDIT, { firstName: 'Old' });
  service.shiftClock(ELEVEN_MINUTES);
  await visitor.signIn('admin');
  assert.ok(!(await textOf(visitor, ANNA_EDIT)).includes('Old'));
});

test('a sign-out has the browser forget the form', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  await sendTooLate({ service, visitor }, ANNA_EDIT, { firstName: 'Kept' });
  await visitor.signIn('admin');
  await visitor.send('/portal/account', '/portal/logout');
  assert.equal(visitor.cookies.has(COOKIE), false);
});

test('a form that is too long is not kept, and its page says so', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  const late = await sendTooLate({ service, visitor }, ANNA_EDIT, { firstName: 'x'.repeat(3_000) });
  assert.equal(late.headers.get('location'), loginTo(ANNA_EDIT));
  assert.ok((visitor.cookies.get(COOKIE) ?? assert.fail('no cookie')).length < 300);
  await visitor.signIn('admin');
  const text = await textOf(visitor, ANNA_EDIT);
  assert.match(text, /What you wrote was too long to be kept\. Fill in the form again\./);
  assert.equal(formOn(text, ANNA_EDIT)?.firstName, '');
  assert.equal((await profileOfAnna(service))?.firstName, undefined);
});

test('the cookie of a form has no password, and no token of its page', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  const written = { userName: 'new', password: 'a-very-secret-password', mustChangePassword: 'true' };
  await sendTooLate({ service, visitor }, ADD_USER, written);
  const sealed = visitor.cookies.get(COOKIE) ?? assert.fail('no cookie');
  const now = Date.now() + TWO_HOURS;
  const kept = openText(cookieSealerFor(service.settings), 'form', sealed, now);
  assert.deepEqual(kept?.values, { userName: 'new', role: 'none', mustChangePassword: 'true' });
  await visitor.signIn('admin');
  const text = await textOf(visitor, ADD_USER);
  assert.ok(!text.includes(written.password), text);
  assert.match(text, /A password is not kept\. If you entered one, enter it again\./);
});

test('a form that asks for a secret is not kept at all', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  const page = '/portal/account/password';
  const late = await sendTooLate({ service, visitor }, page, { oldpw: 'old', newpw: 'new' });
  assert.equal(late.headers.get('location'), loginTo('/portal'));
  assert.equal(visitor.cookies.has(COOKIE), false);
});

test('a page keeps no field unless it says so, and each that does is one of those above', async () => {
  const pages = await pagesWith(CAPABILITIES);
  const keeping = pages.filter(({ keepsFields }) => keepsFields !== undefined);
  const templates = [ANNA_EDIT, ...KEPT.map(([page]) => page)].map((page) =>
    page.replace('/portal', '').replace(/(users|groups)\/[^/]+\//, '$1/{name}/'),
  );
  assert.deepEqual(keeping.map(({ paths }) => paths[0]).sort(), templates.sort());
  for (const { id, method, paths, input, keepsFields = [] } of keeping) {
    assert.equal(method, 'POST', id);
    const isShown = pages.some((other) => other.method === 'GET' && other.paths[0] === paths[0]);
    assert.ok(isShown, id);
    const { properties } = input.body as unknown as { readonly properties: object };
    // This one is a box to tick.
    for (const field of keepsFields.filter((each) => each !== 'mustChangePassword')) {
      assert.ok(field in properties, `${id}: ${field}`);
      assert.doesNotMatch(field, /pass|pw|code|secret|token|key|owner|credential|challenge/i, id);
    }
  }
});

test('an operator’s page tells nobody else whose form it is: the text differs each time', async (t) => {
  const { service, visitor } = await consoleWithAnna(t);
  const operator = await signedInAs(service, 'operator');
  const own = '/portal/account/app-passwords/add';
  const [first, second] = [await opened(operator, own), await opened(operator, own)];
  assert.notEqual(first.formOwner, second.formOwner);
  assert.doesNotMatch(Buffer.from(first.formOwner ?? '', 'base64url').toString('latin1'), /operator/);
  // The form of the operator, sent in the browser of the administrator, is not kept for the administrator.
  service.shiftClock(TWO_HOURS);
  await visitor.post(own, { ...first, name: 'planted' }, FROM_OWN_PAGE);
  await visitor.signIn('admin');
  assert.ok(!(await textOf(visitor, own)).includes('planted'));
});
