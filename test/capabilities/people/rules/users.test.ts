import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeProfile,
  giveRole,
  keepingAnAdministrator,
  lockUser,
  removeUser,
  setDisabled,
} from '../../../../src/capabilities/people/rules/users.ts';
import { newGroup } from '../../../../src/core/domain/group.ts';
import { UNCHANGED } from '../../../../src/core/domain/outcome.ts';
import { isRefusal } from '../../../../src/core/domain/refusal.ts';
import type { Store, WriteUnit } from '../../../../src/core/storage/store.ts';
import { addUser } from '../../../core/storage/conformance/samples.ts';
import { openMemory } from '../../../engines/memory/open.ts';

test('a change of a profile keeps the other fields, and its event names the changed ones without their values', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  await store.write(async (unit) => {
    assert.deepEqual(await changeProfile(unit, ada, { firstName: 'Ada', email: 'ada@example.org' }), {
      events: [{ kind: 'profile-changed', user: 'ada', reason: 'firstName, email' }],
    });
    assert.deepEqual(await changeProfile(unit, ada, { firstName: '', jobTitle: 'Analyst' }), {
      events: [{ kind: 'profile-changed', user: 'ada', reason: 'firstName, jobTitle' }],
    });
    assert.deepEqual(await changeProfile(unit, ada, { jobTitle: 'Analyst' }), UNCHANGED);
    assert.deepEqual(await unit.profiles.find(ada.id), { email: 'ada@example.org', jobTitle: 'Analyst' });
    // A notice goes to the address before, so an event names that one alone.
    assert.deepEqual(await changeProfile(unit, ada, { email: 'a@example.net', jobTitle: 'Engineer' }), {
      events: [
        { kind: 'profile-changed', user: 'ada', reason: 'email, jobTitle' },
        { kind: 'email-changed', user: 'ada', reason: 'was ada@example.org before' },
      ],
    });
  });
});

test('a profile value with a control character or over 1,024 bytes is refused, and nothing is written', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  for (const [location, why] of [
    ['a\u0007b', 'location has a control character: give one line of text'],
    ['\u{1f600}'.repeat(257), 'location has 1028 bytes: give at most 1024'],
    ['\ud800', 'location is not well-formed text: half of a surrogate pair is missing'],
  ] as const) {
    const outcome = await store.write((unit) => changeProfile(unit, ada, { firstName: 'Ada', location }));
    assert.deepEqual(outcome, { refused: 'body_invalid', detail: why });
  }
  assert.deepEqual(await store.read((unit) => unit.profiles.find(ada.id)), {});
});

test('a user has one role of its own, and none without a password', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  const guest = await addUser(store, 'guest', { passwordHash: undefined });
  const own = () => store.read((unit) => unit.roles.ownOf(ada.id));
  const give = (role: Parameters<typeof giveRole>[2]) => store.write((unit) => giveRole(unit, ada, role));
  const told = (reason: string) => ({ events: [{ kind: 'role-changed', user: 'ada', reason }] });
  assert.deepEqual(await give('auditor'), told('auditor'));
  assert.deepEqual(await give('auditor'), UNCHANGED);
  assert.deepEqual(await give('administrator'), told('administrator'));
  assert.equal(await own(), 'administrator');
  assert.deepEqual(await give('operator'), told('operator'));
  assert.equal(await own(), 'operator');
  assert.deepEqual(await give(undefined), told('none'));
  assert.equal(await own(), undefined);
  const refused = await store.write((unit) => giveRole(unit, guest, 'auditor'));
  assert.equal(isRefusal(refused) && refused.refused, 'password_needed');
});

async function kept(store: Store, change: (unit: WriteUnit) => Promise<object>): Promise<boolean> {
  const outcome = await store.write((unit) => keepingAnAdministrator(unit, () => change(unit)));
  if (isRefusal(outcome))
    assert.match(`${outcome.detail}`, /would leave no administrator: make another user/);
  return isRefusal(outcome);
}

test('the last administrator is neither removed nor disabled, demoted or locked, and nothing of the change stays', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada', { administrator: true });
  const changes = [
    (unit: WriteUnit) => removeUser(unit, ada),
    (unit: WriteUnit) => setDisabled(unit, ada, true),
    (unit: WriteUnit) => giveRole(unit, ada, 'operator'),
    (unit: WriteUnit) => lockUser(unit, ada),
  ];
  for (const change of changes) assert.equal(await kept(store, change), true);
  assert.deepEqual(await store.read((unit) => unit.users.find(ada.id)), ada);
  await addUser(store, 'ben', { administrator: true });
  for (const change of changes.slice(1)) assert.equal(await kept(store, change), false);
});

test('an administrator by a group is one: neither the group, nor its role, nor the membership goes with the last', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  const group = await store.write(async (unit) => {
    const added = await unit.groups.add(newGroup('admins', { role: 'administrator' }));
    assert.ok(added);
    await unit.groups.addUser(added.id, ada.id);
    return added;
  });
  const done = async (work: Promise<unknown>) => ({ done: await work });
  for (const change of [
    (unit: WriteUnit) => done(unit.groups.remove(group.id)),
    (unit: WriteUnit) => done(unit.groups.change(group.id, { role: undefined })),
    (unit: WriteUnit) => done(unit.groups.removeUser(group.id, ada.id)),
  ])
    assert.equal(await kept(store, change), true);
  assert.equal(await store.read((unit) => unit.roles.of(ada.id)), 'administrator');
});

test('where nobody is an administrator there is none to keep, and a fault of the change is passed on', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  assert.equal(await kept(store, (unit) => removeUser(unit, ada)), false);
  assert.equal(await store.read((unit) => unit.users.find(ada.id)), undefined);
  const fault = store.write((unit) =>
    keepingAnAdministrator(unit, () => Promise.reject(new Error('of the change'))),
  );
  await assert.rejects(fault, /of the change/);
});
