import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formOn } from '../../../faces/pages/browse.ts';
import { type ReadPage, readPage } from '../../../faces/pages/read-page.ts';
import { latestKinds, openPage, signedInAs, startConsole, textOf } from './console-service.ts';

const GROUPS = '/portal/console/groups';
const STAFF = `${GROUPS}/staff`;
const ANNEXE = `${GROUPS}/annexe`;

const add = '/portal/console/add-group';

const namesIn = ({ rows }: ReadPage) => rows.map(([name]) => name);

test('a group is added, found by a part of its name, changed and removed after a question', async (t) => {
  const { service, visitor } = await startConsole(t);
  assert.match(await textOf(visitor, GROUPS), /There are no groups/);
  const added = await visitor.send(add, add, { name: 'staff', displayName: 'All <staff>', role: 'auditor' });
  assert.equal(added.headers.get('location'), `${STAFF}?done=added`);
  assert.equal((await latestKinds(service))[0], 'group-added');
  const { heading, text } = await openPage(visitor, `${STAFF}?done=added`);
  assert.equal(heading, 'All <staff>');
  assert.match(text, /The group was added.*Auditor/);
  await visitor.send(add, add, { name: 'guests', role: 'none' });
  assert.deepEqual(namesIn(await openPage(visitor, GROUPS)), ['guests', 'staff']);
  assert.deepEqual(namesIn(await openPage(visitor, `${GROUPS}?find=TAF`)), ['staff']);
  assert.match(await textOf(visitor, `${GROUPS}?find=x`), /No group has a name/);
  const edited = await visitor.send(`${STAFF}/edit`, `${STAFF}/edit`, {
    displayName: 'The staff',
    role: 'none',
  });
  assert.equal(edited.headers.get('location'), `${STAFF}?done=changed`);
  const staff = await openPage(visitor, STAFF);
  assert.equal(staff.heading, 'The staff');
  assert.ok([...staff.facts.values()].includes('None'));
  assert.equal((await openPage(visitor, `${STAFF}/remove`)).heading, 'Remove the group staff?');
  const removed = await visitor.send(`${STAFF}/remove`, `${STAFF}/remove`);
  assert.equal(removed.headers.get('location'), `${GROUPS}?done=removed`);
  assert.equal((await latestKinds(service))[0], 'group-removed');
  const missing = await visitor.get(STAFF);
  assert.equal(missing.status, 404);
  assert.match(await missing.text(), /There is no such group/);
});

test('a taken or impossible name is refused with the form as it was', async (t) => {
  const { visitor } = await startConsole(t);
  await visitor.send(add, add, { name: 'staff' });
  const taken = await visitor.send(add, add, { name: 'STAFF', displayName: 'Mine' });
  assert.equal(taken.status, 422);
  const text = await taken.text();
  const [fault] = readPage(text).faults;
  assert.equal(fault?.field, 'name');
  assert.match(fault?.text ?? '', /^The name is taken/);
  assert.equal(formOn(text, add)?.displayName, 'Mine');
  const impossible = await visitor.send(add, add, { name: 'a/b' });
  assert.match(await impossible.text(), /A value is not allowed: the name of a group has none of/);
  const empty = await visitor.send(`${STAFF}/edit`, `${STAFF}/edit`, { displayName: ' ' });
  assert.match(await empty.text(), /A value is not allowed: displayName is empty/);
});

test('members are found, added and taken out, on the page of the group and on that of the user', async (t) => {
  const { service, visitor } = await startConsole(t);
  for (const name of ['anna', 'susanne']) await service.addUser(name);
  for (const name of ['staff', 'annexe']) await visitor.send(add, add, { name });
  const found = await openPage(visitor, `${STAFF}?find=ann`);
  assert.deepEqual(namesIn(found), ['anna', 'susanne', 'annexe']);
  const addMember = async (type: 'user' | 'group', of: string) =>
    (await visitor.send(`${STAFF}?find=ann`, `${STAFF}/add-${type}`, { of })).headers.get('location');
  assert.equal(await addMember('user', 'anna'), `${STAFF}?done=add-user`);
  assert.equal((await latestKinds(service))[0], 'group-joined');
  assert.equal(await addMember('group', 'annexe'), `${STAFF}?done=add-group`);
  assert.deepEqual(namesIn(await openPage(visitor, STAFF)), ['annexe', 'anna']);

  const susanne = '/portal/console/users/susanne';
  const join = formOn(await textOf(visitor, `${susanne}?group=ann`), `${susanne}/join-group`);
  assert.equal(join?.of, 'annexe');
  await visitor.send(`${susanne}?group=ann`, `${susanne}/join-group`, { of: 'annexe' });
  const groups = await textOf(visitor, susanne);
  assert.equal(formOn(groups, `${susanne}/leave-group`)?.of, 'annexe');
  assert.match(readPage(groups).text, /staff.*By another group/);

  const circle = await visitor.send(`${ANNEXE}?find=staff`, `${ANNEXE}/add-group`, { of: 'staff' });
  assert.equal(circle.status, 422);
  assert.match(await circle.text(), /A group cannot contain itself.*staff &gt; annexe/s);

  await visitor.send(susanne, `${susanne}/leave-group`, { of: 'annexe' });
  assert.match(await textOf(visitor, susanne), /in no group/);
  for (const [type, of] of [
    ['user', 'anna'],
    ['group', 'annexe'],
  ] as const)
    await visitor.send(STAFF, `${STAFF}/remove-${type}`, { of });
  assert.match(await textOf(visitor, STAFF), /This group has no members/);
});

test('the members of a large group have pages', async (t) => {
  const { service, visitor } = await startConsole(t);
  await visitor.send(add, add, { name: 'staff' });
  const names = Array.from({ length: 55 }, (_, at) => `user${String(at).padStart(2, '0')}`);
  for (const name of names) await service.addUser(name, { password: undefined });
  await service.store.write(async ({ users, groups }) => {
    const staff = await groups.findByKey('staff');
    for (const name of names) {
      const user = await users.findByKey(name);
      if (staff && user) await groups.addUser(staff.id, user.id);
    }
  });
  const first = await openPage(visitor, STAFF);
  assert.deepEqual(namesIn(first), names.slice(0, 50));
  const second = await openPage(visitor, first.next ?? assert.fail('no next page'));
  assert.deepEqual(namesIn(second), names.slice(50));
});

test('a change of a group that would leave no administrator says so, and changes nothing', async (t) => {
  const { service, visitor } = await startConsole(t);
  await visitor.send(add, add, { name: 'staff', role: 'administrator' });
  await service.addUser('anna');
  await visitor.send(`${STAFF}?find=anna`, `${STAFF}/add-user`, { of: 'anna' });
  const anna = await signedInAs(service, 'auditor');
  await anna.signIn('anna');
  const admin = '/portal/console/users/admin';
  await anna.send(`${admin}/edit`, `${admin}/edit`, { role: 'none' });
  for (const [page, path, fields] of [
    [`${STAFF}/remove`, `${STAFF}/remove`, {}],
    [STAFF, `${STAFF}/remove-user`, { of: 'anna' }],
    [`${STAFF}/edit`, `${STAFF}/edit`, { role: 'none' }],
  ] as const) {
    const refused = await anna.send(page, path, fields);
    assert.equal(refused.status, 422, path);
    assert.match(await refused.text(), /would leave no administrator/, path);
  }
  assert.deepEqual(namesIn(await openPage(anna, STAFF)), ['anna']);
});

test('an operator sees groups and changes none; an auditor does not see them', async (t) => {
  const { service, visitor } = await startConsole(t);
  await visitor.send(add, add, { name: 'staff' });
  await service.addUser('anna');
  await visitor.send(`${STAFF}?find=anna`, `${STAFF}/add-user`, { of: 'anna' });
  const operator = await signedInAs(service, 'operator');
  const text = await textOf(operator, STAFF);
  assert.doesNotMatch(text, /remove-user|add-user|\/edit|\/remove"/);
  assert.doesNotMatch(await textOf(operator, GROUPS), /add-group/);
  for (const what of ['edit', 'remove', 'add-user', 'remove-user', 'add-group', 'remove-group'])
    assert.equal(
      (await operator.send('/portal/account', `${STAFF}/${what}`, { of: 'anna' })).status,
      403,
      what,
    );
  assert.equal((await operator.send('/portal/account', add, { name: 'mine' })).status, 403);
  const auditor = await signedInAs(service, 'auditor');
  for (const path of [GROUPS, STAFF]) assert.equal((await auditor.get(path)).status, 403, path);
});
