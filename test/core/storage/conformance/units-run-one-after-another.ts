import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newGroup } from '../../../../src/core/domain/group.ts';
import { addUser, type MakeStore } from './samples.ts';

/** Write units do not overlap: what one has read stays so until it ends. */
export function unitsRunOneAfterAnother(make: MakeStore): void {
  test('no raise is lost among units that read and raise the same user together', async (t) => {
    const store = await make(t);
    const { id } = await addUser(store, 'ada');
    const raises = Array.from({ length: 40 }, () =>
      store.write(async ({ users }) => {
        const user = await users.find(id);
        await users.count();
        await users.change(id, { generation: (user?.generation ?? 0) + 1 });
      }),
    );
    await Promise.all(raises);
    assert.equal((await store.read((unit) => unit.users.find(id)))?.generation, 40);
  });

  test('no change is lost among units that find and change the same group together', async (t) => {
    const store = await make(t);
    await store.write(({ groups }) => groups.add(newGroup('staff', { displayName: '#' })));
    const changes = Array.from({ length: 20 }, () =>
      store.write(async ({ groups }) => {
        const group = (await groups.findByKey('staff')) ?? assert.fail('there is no group');
        const again = (await groups.find(group.id)) ?? assert.fail('there is no group');
        await groups.change(group.id, { displayName: `${again.displayName}#` });
      }),
    );
    await Promise.all(changes);
    const group = await store.read(({ groups }) => groups.findByKey('staff'));
    assert.equal(group?.displayName.length, 21);
  });

  test('no user joins a group that another unit removes', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const group = await store.write(({ groups }) => groups.add(newGroup('staff')));
    const { id } = group ?? assert.fail('the name is taken');
    const found = Promise.withResolvers<void>();
    const joining = store.write(async ({ groups }) => {
      const seen = await groups.find(id);
      found.resolve();
      for (let round = 0; round < 50; round++) await groups.find(id);
      return seen !== undefined && groups.addUser(id, ada.id);
    });
    await found.promise;
    const removing = store.write(({ groups }) => groups.remove(id));
    assert.equal(await joining, true);
    await removing;
    const left = await store.write(({ groups }) => groups.removeUser(id, ada.id));
    assert.equal(left, false);
  });

  test('a user stays as a unit read it until that unit ends', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const begun = Promise.withResolvers<void>();
    const reading = store.write(async ({ users }) => {
      const seen = [await users.find(ada.id)];
      begun.resolve();
      for (let round = 0; round < 50; round++) seen.push(await users.find(ada.id));
      return seen;
    });
    await begun.promise;
    const change = { disabled: true };
    const changing = store.write((unit) => unit.users.change(ada.id, change));
    for (const seen of await reading) assert.deepEqual(seen, ada);
    await changing;
    assert.deepEqual(await store.read((unit) => unit.users.find(ada.id)), { ...ada, ...change });
  });

  test('units are begun in the order in which they were asked for', async (t) => {
    const store = await make(t);
    const order: number[] = [];
    const units = [1, 2, 3, 4].map((n) =>
      store.write(async (unit) => {
        order.push(n);
        await unit.users.count();
      }),
    );
    await Promise.all(units);
    assert.deepEqual(order, [1, 2, 3, 4]);
  });
}
