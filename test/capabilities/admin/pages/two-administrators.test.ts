import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { formOn, Visitor, valueOn } from '../../../faces/pages/browse.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import type { TestService } from '../../../service/start.ts';
import { openPage, startConsole, textOf } from './console-service.ts';

const USERS = '/portal/console/users';
const ANNA = `${USERS}/anna`;
const GROUPS = '/portal/console/groups';
const STAFF = `${GROUPS}/staff`;

/** A console with the user anna and the group staff, and two browsers of administrators. */
async function twoAdministrators(t: TestContext) {
  const { service, visitor: one } = await startConsole(t);
  await service.addUser('anna');
  await one.send('/portal/console/add-group', '/portal/console/add-group', { name: 'staff' });
  const two = new Visitor(service);
  await two.signIn('admin');
  return { service, one, two };
}

/** The form of a page as it is shown now, for a browser that sends it later. */
const opened = async (visitor: Visitor, page: string, path = page, of = {}) =>
  formOn(await textOf(visitor, page), path, of) ?? assert.fail(`no form on ${page}`);

const roleOf = ({ store }: TestService, name: string) =>
  store.read(async ({ users, roles }) => roles.of((await users.findByKey(name))?.id ?? assert.fail(name)));

const annaOf = ({ store }: TestService) => store.read(({ users }) => users.findByKey('anna'));

test('a form about a user that was opened before gives no role back that another administrator took', async (t) => {
  const { service, one, two } = await twoAdministrators(t);
  const edit = `${ANNA}/edit`;
  await two.send(edit, edit, { role: 'administrator', email: 'old@example.org' });
  const stale = await opened(one, edit);
  await two.send(edit, edit, { role: 'none', email: 'new@example.org' });
  const written = { ...stale, firstName: 'Anna', email: 'mine@example.org' };
  const conflict = await one.post(edit, written);
  assert.equal(conflict.status, 409);
  assert.equal(await roleOf(service, 'anna'), undefined);
  const text = await conflict.text();
  const [notice] = readPage(text).notices;
  assert.equal(notice?.tone, 'bad');
  assert.match(notice.text, /Somebody else has changed anna/);
  assert.match(text, /it was “Administrator” when you opened the form, and is “None” now/);
  assert.match(text, /it is “new@example.org” now\. You wrote “mine@example.org”/);
  // Nothing that was typed is lost, and what was not touched is what stands now.
  const again = formOn(text, edit) ?? assert.fail(text);
  assert.deepEqual([again.firstName, again.email, again.role], ['Anna', 'mine@example.org', 'none']);
  assert.equal((await one.post(edit, again)).status, 303);
  assert.equal(await roleOf(service, 'anna'), undefined);
  assert.match(await textOf(one, ANNA), /Anna.*mine@example\.org/s);
});

test('a form about a group that was opened before gives no role back, and shows both titles', async (t) => {
  const { service, one, two } = await twoAdministrators(t);
  const edit = `${STAFF}/edit`;
  await two.send(edit, edit, { role: 'operator' });
  const stale = await opened(one, edit);
  await two.send(edit, edit, { role: 'none', displayName: 'Theirs' });
  const conflict = await one.post(edit, { ...stale, displayName: 'Mine' });
  assert.equal(conflict.status, 409);
  const text = await conflict.text();
  assert.match(text, /it is “Theirs” now\. You wrote “Mine”/);
  assert.match(text, /it was “Operator” when you opened the form, and is “None” now/);
  const again = formOn(text, edit) ?? assert.fail(text);
  assert.deepEqual([again.displayName, again.role], ['Mine', 'none']);
  const kept = await service.store.read(({ groups }) => groups.findByKey('staff'));
  assert.deepEqual([kept?.displayName, kept?.role], ['Theirs', undefined]);
});

test('two administrators who write the same, or change different users, do not disturb each other', async (t) => {
  const { service, one, two } = await twoAdministrators(t);
  await service.addUser('ben');
  const edit = `${ANNA}/edit`;
  const stale = await opened(one, edit);
  await two.send(edit, edit, { firstName: 'Anna' });
  await two.send(`${USERS}/ben/edit`, `${USERS}/ben/edit`, { firstName: 'Ben' });
  assert.equal((await one.post(edit, { ...stale, firstName: 'Anna' })).status, 303);
});

test('a field that is emptied in the form is empty then', async (t) => {
  const { one } = await twoAdministrators(t);
  const edit = `${ANNA}/edit`;
  await one.send(edit, edit, { email: 'a@example.org' });
  assert.equal((await one.send(edit, edit, { email: '' })).status, 303);
  // An event of the page still tells the address of before.
  assert.equal((await openPage(one, ANNA)).facts.get('E-mail'), undefined);
  assert.equal(valueOn(await textOf(one, edit), 'email'), '');
});

test('a button of an older page changes nothing if somebody else changed the user, and asks again', async (t) => {
  const { service, one, two } = await twoAdministrators(t);
  const enable = `${ANNA}/enable`;
  const disable = `${ANNA}/disable`;
  await two.send(disable, disable);
  const stale = await opened(one, ANNA, enable);
  await two.send(ANNA, enable);
  await two.send(`${ANNA}/edit`, `${ANNA}/edit`, { role: 'operator' });
  await two.send(disable, disable);
  const conflict = await one.post(enable, stale);
  assert.equal(conflict.status, 409);
  assert.equal((await annaOf(service))?.disabled, true);
  const text = await conflict.text();
  assert.match(text, /Somebody else has changed anna/);
  assert.match(text, /Role.*None.*Operator/s);
  const again = formOn(text, enable) ?? assert.fail(text);
  assert.equal((await one.post(enable, again)).status, 303);
  assert.equal((await annaOf(service))?.disabled, false);
});

test('a button that ends a lock-out by failures does not end the lock of another administrator', async (t) => {
  const { service, one, two } = await twoAdministrators(t);
  const { id } = (await annaOf(service)) ?? assert.fail('no anna');
  await service.store.write(({ users }) => users.change(id, { lockedUntil: Date.now() + 600_000 }));
  const unlock = `${ANNA}/unlock`;
  const stale = await opened(one, ANNA, unlock);
  const lockOut = '/portal/console/lock-outs/anna/unlock';
  const staleThere = await opened(one, lockOut);
  const patched = await two.post(`${ANNA}/lock`, await opened(two, `${ANNA}/lock`));
  assert.equal(patched.status, 303);
  for (const [path, form] of [
    [unlock, stale],
    [lockOut, staleThere],
  ] as const) {
    const conflict = await one.post(path, form);
    assert.equal(conflict.status, 409, path);
    const text = await conflict.text();
    assert.match(text, /locked out.*locked by an administrator/s, path);
    assert.notEqual((await annaOf(service))?.lockedUntil, 0, path);
  }
  assert.equal((await one.send(lockOut, lockOut)).status, 303);
  assert.equal((await annaOf(service))?.lockedUntil, 0);
});

test('the question before a removal is about that user and that group, not a later one of the name', async (t) => {
  const { service, one, two } = await twoAdministrators(t);
  const removeUser = `${ANNA}/remove`;
  const removeGroup = `${STAFF}/remove`;
  const [staleUser, staleGroup] = [await opened(one, removeUser), await opened(one, removeGroup)];
  await two.send(removeUser, removeUser, { typed: 'anna' });
  await service.addUser('anna');
  await two.send(removeGroup, removeGroup);
  const add = '/portal/console/add-group';
  await two.send(add, add, { name: 'staff', displayName: 'Another one' });
  const user = await one.post(removeUser, { ...staleUser, typed: 'anna' });
  assert.equal(user.status, 409);
  assert.match(await user.text(), /The anna that you opened was removed\. This is another one/);
  assert.equal((await one.post(removeGroup, staleGroup)).status, 409);
  assert.notEqual(await annaOf(service), undefined);
});

test('nobody joins a group by an older page that since has a role', async (t) => {
  const { service, one, two } = await twoAdministrators(t);
  const join = `${STAFF}/add-user`;
  const stale = await opened(one, `${STAFF}?find=anna`, join, { of: 'anna' });
  await two.send(`${STAFF}/edit`, `${STAFF}/edit`, { role: 'administrator' });
  const conflict = await one.post(join, stale);
  assert.equal(conflict.status, 409);
  assert.match(await conflict.text(), /Role of its members.*None.*Administrator/s);
  assert.equal(await roleOf(service, 'anna'), undefined);
});

test('a button without what its page showed changes nothing; one that only ends something needs nothing', async (t) => {
  const { service, one } = await twoAdministrators(t);
  const formToken = await one.formToken(ANNA);
  assert.equal((await one.post(`${ANNA}/disable`, { formToken })).status, 409);
  for (const was of ['no JSON', 'null', '[]', '{"id":5}'])
    assert.equal((await one.post(`${ANNA}/disable`, { formToken, was })).status, 409, was);
  assert.equal((await annaOf(service))?.disabled, false);
  assert.equal((await one.post(`${ANNA}/end-tickets`, { formToken })).status, 303);
});

test('the page of a conflict speaks German too', async (t) => {
  const { one, two } = await twoAdministrators(t);
  const edit = `${ANNA}/edit`;
  const stale = await opened(one, edit);
  await two.send(edit, edit, { role: 'operator' });
  const German = { 'Sec-Fetch-Site': 'same-origin', 'Accept-Language': 'de' };
  const text = await (await one.post(edit, stale, German)).text();
  assert.match(text, /Jemand anders hat anna geändert.*Beim Öffnen des Formulars stand hier/s);
});
