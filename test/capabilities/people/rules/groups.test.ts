import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addGroup,
  changeGroup,
  findGroup,
  joinGroup,
  leaveGroup,
  removeGroup,
} from '../../../../src/capabilities/people/rules/groups.ts';
import type { Group } from '../../../../src/core/domain/group.ts';
import { UNCHANGED } from '../../../../src/core/domain/outcome.ts';
import { isRefusal } from '../../../../src/core/domain/refusal.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { addUser } from '../../../core/storage/conformance/samples.ts';
import { openMemory } from '../../../engines/memory/open.ts';

async function added(store: Store, name: string): Promise<Group> {
  const outcome = await store.write((unit) => addGroup(unit, name));
  assert.ok(!isRefusal(outcome), `${name} was not added`);
  return outcome.group;
}

/** Adds groups of these names, each one in the one before. */
async function nested(store: Store, ...names: readonly string[]): Promise<Group[]> {
  const groups: Group[] = [];
  for (const name of names) groups.push(await added(store, name));
  for (const [index, group] of groups.slice(1).entries())
    await store.write((unit) => joinGroup(unit, groups[index] as Group, { group }));
  return groups;
}

/** Why the rule forbids it. */
async function whyNot(outcome: Promise<object>): Promise<readonly [string, string]> {
  const found = await outcome;
  assert.ok(isRefusal(found), 'it is not forbidden');
  return [found.refused, `${found.detail}`];
}

test('a group that would contain itself is refused with the circle, by others or by itself', async () => {
  const store = openMemory();
  const [a, b, c] = (await nested(store, 'a', 'b', 'c')) as [Group, Group, Group];
  const join = (group: Group, member: Group) =>
    store.write((unit) => joinGroup(unit, group, { group: member }));
  assert.deepEqual(await whyNot(join(c, a)), [
    'group_circle',
    '"a" cannot join "c", which would then contain itself: c > a > b > c. Take a group out of that circle first',
  ]);
  assert.match((await whyNot(join(a, a)))[1], /contain itself: a > a\./);
  assert.deepEqual(await store.read((unit) => unit.groups.groupsIn(c.id)), []);
  await store.write((unit) => leaveGroup(unit, b, { group: c }));
  assert.ok(!isRefusal(await join(c, a)), 'without the circle it may');
});

test('two ways to the same group are no circle', async () => {
  const store = openMemory();
  const [top, left, leaf] = (await nested(store, 'top', 'left', 'leaf')) as [Group, Group, Group];
  const right = await added(store, 'right');
  for (const [group, member] of [
    [top, right],
    [right, leaf],
    [top, leaf],
  ] as const)
    assert.ok(!isRefusal(await store.write((unit) => joinGroup(unit, group, { group: member }))));
  assert.match(
    (await whyNot(store.write((unit) => joinGroup(unit, leaf, { group: top }))))[1],
    /: leaf > top > leaf\./,
  );
  assert.deepEqual(left.name, 'left');
});

test('each change of a group tells its event, and what is so already tells none', async () => {
  const store = openMemory();
  const ada = await addUser(store, 'ada');
  await store.write(async (unit) => {
    const outcome = await addGroup(unit, 'GROUP_Staff', { displayName: 'All staff', role: 'operator' });
    assert.ok(!isRefusal(outcome));
    const { group, events } = outcome;
    assert.deepEqual(events, [{ kind: 'group-added', reason: 'GROUP_Staff, role operator' }]);
    const inner = await addGroup(unit, 'inner');
    assert.ok(!isRefusal(inner));
    const user = { user: ada };
    assert.deepEqual(await joinGroup(unit, group, user), {
      events: [{ kind: 'group-joined', user: 'ada', reason: 'GROUP_Staff' }],
    });
    assert.deepEqual(await joinGroup(unit, group, user), UNCHANGED);
    assert.deepEqual(await joinGroup(unit, group, inner), {
      events: [{ kind: 'group-joined', reason: 'GROUP_inner in GROUP_Staff' }],
    });
    assert.deepEqual(await joinGroup(unit, group, inner), UNCHANGED);
    assert.deepEqual(await changeGroup(unit, group, { displayName: 'Staff', role: undefined }), {
      events: [{ kind: 'group-changed', reason: 'GROUP_Staff: displayName, role none' }],
    });
    assert.deepEqual(await changeGroup(unit, group, { displayName: 'All staff' }), UNCHANGED);
    assert.deepEqual(await leaveGroup(unit, group, user), {
      events: [{ kind: 'group-left', user: 'ada', reason: 'GROUP_Staff' }],
    });
    assert.deepEqual(await leaveGroup(unit, group, user), UNCHANGED);
    assert.deepEqual(await removeGroup(unit, group), {
      events: [{ kind: 'group-removed', reason: 'GROUP_Staff' }],
    });
    assert.deepEqual(await unit.groups.containing(inner.group.id), []);
  });
});

test('a name that differs in case only, a computed group and an unknown one are refused with the mend', async () => {
  const store = openMemory();
  await added(store, 'Staff');
  const add = (name: string) => whyNot(store.write((unit) => addGroup(unit, name)));
  const find = (name: string) => whyNot(store.read((unit) => findGroup(unit, name)));
  assert.deepEqual(await add('GROUP_STAFF'), [
    'name_taken',
    'there is a group "Staff" already, and case never counts in names of groups: choose another name, or change that group',
  ]);
  assert.match((await add('Staff'))[1], /"Staff" already: choose/);
  assert.match((await add('everyone'))[1], /GROUP_EVERYONE is computed/);
  assert.match((await add('a/b'))[1], /none of the characters/);
  assert.match((await find('GROUP_everyone'))[1], /computed from the users/);
  assert.deepEqual(await find('none'), [
    'group_not_found',
    'there is no group "none": list the groups, or add it first',
  ]);
  const found = await store.read((unit) => findGroup(unit, 'GROUP_sTAFF'));
  assert.equal('name' in found && found.name, 'Staff');
});

test('a display name is one line of 1 to 1,024 bytes', async () => {
  const store = openMemory();
  const staff = await added(store, 'staff');
  const named = (displayName: string) => store.write((unit) => changeGroup(unit, staff, { displayName }));
  assert.match((await whyNot(named('')))[1], /displayName is empty: give a text/);
  assert.match((await whyNot(named('a\nb')))[1], /displayName has a control character: give one line/);
  assert.match((await whyNot(named('é'.repeat(513))))[1], /displayName has 1026 bytes: give at most 1024/);
  assert.ok(!isRefusal(await named('é'.repeat(512))));
});
