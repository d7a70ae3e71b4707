import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUser, aUser, contents, type MakeStore, NOW } from './samples.ts';

/** A fault aside undoes that part only and is returned; the rest of the unit is kept. */
export function asideFailsAlone(make: MakeStore): void {
  test('what is done aside is kept with the unit, and nothing is returned', async (t) => {
    const store = await make(t);
    const fault = await store.write((unit) =>
      unit.aside(() => unit.events.append({ at: NOW, kind: 'login', user: 'ada' })),
    );
    assert.equal(fault, undefined);
    assert.equal((await contents(store)).events, 1);
  });

  test('a fault aside is returned and undoes that part only', async (t) => {
    const store = await make(t);
    const thrown = new Error('aside');
    const returned = await store.write(async (unit) => {
      await unit.users.add(aUser('before'));
      const fault = await unit.aside(async () => {
        await unit.users.add(aUser('aside'));
        await unit.events.append({ at: NOW, kind: 'login' });
        throw thrown;
      });
      await unit.users.add(aUser('after'));
      return fault;
    });
    assert.equal(returned, thrown);
    const names = (await store.read((unit) => unit.users.list())).map(({ name }) => name);
    assert.deepEqual(names, ['after', 'before']);
    assert.equal((await contents(store)).events, 0);
  });

  test('a fault aside restores what the unit itself had written before', async (t) => {
    const store = await make(t);
    const { id } = await addUser(store, 'ada');
    await store.write(async (unit) => {
      await unit.users.change(id, { generation: 1 });
      await unit.aside(async () => {
        await unit.users.change(id, { generation: 2 });
        throw new Error('aside');
      });
      assert.equal((await unit.users.find(id))?.generation, 1);
    });
    assert.equal((await store.read((unit) => unit.users.find(id)))?.generation, 1);
  });

  test('an aside within an aside fails alone as well', async (t) => {
    const store = await make(t);
    await store.write((unit) =>
      unit
        .aside(async () => {
          await unit.users.add(aUser('outer'));
          await unit.aside(async () => {
            await unit.users.add(aUser('inner'));
            throw new Error('inner');
          });
        })
        .then((fault) => assert.equal(fault, undefined)),
    );
    assert.deepEqual(
      (await store.read((unit) => unit.users.list())).map(({ name }) => name),
      ['outer'],
    );
  });

  test('what was done aside goes with a unit that fails afterwards', async (t) => {
    const store = await make(t);
    const failing = store.write(async (unit) => {
      await unit.aside(() => unit.events.append({ at: NOW, kind: 'login' }));
      throw new Error('the unit');
    });
    await assert.rejects(failing, /the unit/);
    assert.equal((await contents(store)).events, 0);
  });
}
