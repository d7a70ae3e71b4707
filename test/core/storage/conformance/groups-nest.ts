import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Group, newGroup } from '../../../../src/core/domain/group.ts';
import { UNTIL_UNLOCKED } from '../../../../src/core/domain/user.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { addUser, type MakeStore, NOW } from './samples.ts';

async function addGroup(store: Store, name: string, role?: Group['role']): Promise<Group> {
  const added = await store.write((unit) => unit.groups.add(newGroup(name, { role })));
  assert.ok(added, `${name} is taken`);
  return added;
}

const names = (found: readonly { readonly name: string }[]) => found.map(({ name }) => name);

/** Groups are kept by key, contain users and groups, and a user is in all that contain its groups. */
export function groupsNest(make: MakeStore): void {
  test('a group comes back as it was kept, under a key that is taken once', async (t) => {
    const store = await make(t);
    const staff = await addGroup(store, 'Staff', 'operator');
    const taken = await store.write((unit) => unit.groups.add(newGroup('GROUP_staff')));
    assert.equal(taken, undefined);
    await store.write((unit) => unit.groups.change(staff.id, { displayName: 'All staff' }));
    await store.read(async ({ groups }) => {
      const changed = { ...staff, displayName: 'All staff' };
      assert.deepEqual(await groups.find(staff.id), changed);
      assert.deepEqual(await groups.findByKey('staff'), changed);
      assert.equal(await groups.findByKey('Staff'), undefined);
      assert.equal(await groups.find(staff.id + 1), undefined);
    });
    await store.write((unit) => unit.groups.change(staff.id, { role: undefined }));
    const found = await store.read((unit) => unit.groups.find(staff.id));
    assert.deepEqual(found, { ...staff, displayName: 'All staff', role: undefined });
  });

  test('groups are paged by key, from a prefix', async (t) => {
    const store = await make(t);
    for (const name of ['b1', 'a', 'b2', 'c', 'b', '\ufb01', '\u{1f600}']) await addGroup(store, name);
    await store.read(async ({ groups }) => {
      const all = await groups.page('', undefined, 10);
      assert.deepEqual(names(all), ['a', 'b', 'b1', 'b2', 'c', '\ufb01', '\u{1f600}']);
      assert.deepEqual(names(await groups.page('b', undefined, 2)), ['b', 'b1']);
      assert.deepEqual(names(await groups.page('b', { key: 'b1' }, 2)), ['b2']);
      assert.deepEqual(names(await groups.page('', { key: 'c' }, 10)), ['\ufb01', '\u{1f600}']);
    });
  });

  test('a user is in the groups that contain it, however deep, each once', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const groups: Group[] = [];
    for (const name of ['leaf', 'left', 'right', 'top', 'other']) groups.push(await addGroup(store, name));
    const [leaf, left, right, top, other] = groups as [Group, Group, Group, Group, Group];
    await store.write(async (unit) => {
      assert.equal(await unit.groups.addUser(leaf.id, ada.id), true);
      assert.equal(await unit.groups.addUser(leaf.id, ada.id), false);
      await unit.groups.addUser(other.id, ben.id);
      for (const [outer, inner] of [
        [left, leaf],
        [right, leaf],
        [top, left],
        [top, right],
      ] as const)
        assert.equal(await unit.groups.addGroup(outer.id, inner.id), true);
      assert.equal(await unit.groups.addGroup(top.id, right.id), false);
      assert.deepEqual(names(await unit.groups.ofUser(ada.id)), ['leaf', 'left', 'right', 'top']);
    });
    await store.read(async (unit) => {
      const found = await unit.groups.ofUser(ada.id);
      assert.deepEqual(
        found.map(({ name, direct, root }) => [name, direct, root]),
        [
          ['leaf', true, false],
          ['left', false, false],
          ['right', false, false],
          ['top', false, true],
        ],
      );
      assert.deepEqual(names(await unit.groups.containing(leaf.id)), ['left', 'right']);
      assert.deepEqual(names(await unit.groups.groupsIn(top.id)), ['left', 'right']);
      assert.deepEqual(names(await unit.groups.usersIn(leaf.id, 0, 10)), ['ada']);
      assert.deepEqual(await unit.groups.usersIn(leaf.id, ada.id, 10), []);
    });
    await store.write((unit) => unit.groups.remove(left.id));
    assert.deepEqual(names(await store.read((unit) => unit.groups.ofUser(ada.id))), ['leaf', 'right', 'top']);
    await store.write(async (unit) => {
      assert.equal(await unit.groups.removeGroup(right.id, leaf.id), true);
      assert.equal(await unit.groups.removeGroup(right.id, leaf.id), false);
    });
    assert.deepEqual(names(await store.read((unit) => unit.groups.ofUser(ada.id))), ['leaf']);
    await store.write(async (unit) => {
      assert.equal(await unit.groups.removeUser(leaf.id, ada.id), true);
      assert.equal(await unit.groups.removeUser(leaf.id, ada.id), false);
    });
    assert.deepEqual(await store.read((unit) => unit.groups.ofUser(ada.id)), []);
  });

  test('a user is in 200 groups that nest 10 deep, each once', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const deep = (n: number) => Math.floor(n / 20);
    const isIn = (outer: number, inner: number) => deep(outer) === deep(inner) + 1;
    await store.write(async ({ groups }) => {
      const made: Group[] = [];
      for (let n = 0; n < 200; n += 1) made.push((await groups.add(newGroup(`g${n}`))) as Group);
      for (const [n, inner] of made.entries()) {
        if (deep(n) === 0) await groups.addUser(inner.id, ada.id);
        // Each is in three groups of the level above, so there are many ways to the top.
        for (const outer of [0, 7, 13].map((by) => 20 * (deep(n) + 1) + ((n + by) % 20)))
          if (isIn(outer, n) && outer < 200) await groups.addGroup(made[outer]?.id ?? 0, inner.id);
      }
    });
    const found = await store.read((unit) => unit.groups.ofUser(ada.id));
    assert.equal(found.length, 200);
    assert.equal(new Set(names(found)).size, 200);
    assert.deepEqual(
      [found.filter(({ direct }) => direct).length, found.filter(({ root }) => root).length],
      [20, 20],
    );
  });

  test('a user has the highest role of its own and of the groups that contain it', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben', { administrator: true })];
    const [inner, outer] = [await addGroup(store, 'inner'), await addGroup(store, 'outer')];
    const roles = () =>
      store.read(async (unit) => [await unit.roles.ownOf(ada.id), await unit.roles.of(ada.id)]);
    const anybody = () => store.read((unit) => unit.roles.hasAdministrator());
    await store.write(async ({ groups }) => {
      await groups.addUser(inner.id, ada.id);
      await groups.addGroup(outer.id, inner.id);
    });
    assert.deepEqual(await roles(), [undefined, undefined]);
    await store.write((unit) => unit.roles.give(ada.id, 'auditor'));
    assert.deepEqual(await roles(), ['auditor', 'auditor']);
    await store.write((unit) => unit.groups.change(outer.id, { role: 'operator' }));
    assert.deepEqual(await roles(), ['auditor', 'operator']);
    assert.equal(await store.read((unit) => unit.roles.of(ben.id)), 'administrator');
    await store.write((unit) => unit.users.change(ben.id, { administrator: false }));
    assert.equal(await store.read((unit) => unit.roles.of(ben.id)), undefined);
    assert.equal(await anybody(), false);
    await store.write((unit) => unit.groups.change(outer.id, { role: 'administrator' }));
    assert.equal(await anybody(), true);
    for (const [change, then] of [
      [{ lockedUntil: UNTIL_UNLOCKED }, false],
      [{ lockedUntil: NOW }, true],
      [{ disabled: true }, false],
    ] as const) {
      await store.write((unit) => unit.users.change(ada.id, change));
      assert.equal(await anybody(), then);
    }
    await store.write(async ({ roles }) => roles.give(ada.id, undefined));
    assert.deepEqual(await roles(), [undefined, 'administrator']);
  });

  test('a user without a password has no role, whatever its groups have', async (t) => {
    const store = await make(t);
    const guest = await addUser(store, 'guest', { passwordHash: undefined, administrator: true });
    const admins = await addGroup(store, 'admins', 'administrator');
    await store.write((unit) => unit.groups.addUser(admins.id, guest.id));
    const found = () =>
      store.read(async ({ roles }) => [await roles.of(guest.id), await roles.hasAdministrator()]);
    assert.deepEqual(await found(), [undefined, false]);
    await store.write((unit) => unit.users.change(guest.id, { passwordHash: 'a hash' }));
    assert.deepEqual(await found(), ['administrator', true]);
  });
}
