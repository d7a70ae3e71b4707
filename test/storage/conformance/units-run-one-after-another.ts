import assert from 'node:assert/strict';
import { test } from 'node:test';
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
