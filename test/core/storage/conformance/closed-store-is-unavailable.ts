import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../../../src/core/storage/store.ts';
import { addUser, aUser, type MakeStore } from './samples.ts';

/** Closing waits for the units under way; later ones throw {@link StoreUnavailable}. */
export function closedStoreIsUnavailable(make: MakeStore): void {
  test('a closed store answers every unit with StoreUnavailable', async (t) => {
    const store = await make(t);
    await store.close();
    await assert.rejects(
      store.read((unit) => unit.users.count()),
      StoreUnavailable,
    );
    await assert.rejects(
      store.write((unit) => unit.users.count()),
      StoreUnavailable,
    );
  });

  test('a store that is closed can be closed again, and one that is closing too', async (t) => {
    const store = await make(t);
    await addUser(store, 'ada');
    await Promise.all([store.close(), store.close()]);
    await store.close();
  });

  test('a unit that is asked for after the closing has begun does not begin', async (t) => {
    const store = await make(t);
    const closing = store.close();
    let begun = 0;
    const late = [
      store.read(async () => {
        begun += 1;
      }),
      store.write(async () => {
        begun += 1;
      }),
    ];
    const outcomes = await Promise.allSettled(late);
    await closing;
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable),
      [true, true],
    );
    assert.equal(begun, 0);
  });

  test('write units asked for before the closing are done', async (t) => {
    const store = await make(t);
    const done = new Set<string>();
    const writes = ['ada', 'ben', 'eve'].map((name) =>
      store.write(async (unit) => {
        const user = await unit.users.add(aUser(name));
        done.add(name);
        return user;
      }),
    );
    await store.close();
    assert.equal(done.size, 3, 'the store was closed before its units had ended');
    const added = await Promise.all(writes);
    assert.deepEqual(
      added.map((user) => user?.name),
      ['ada', 'ben', 'eve'],
    );
  });

  test('a read unit may be done at once: it gives its value, or passes its error on, and is not waited for', async (t) => {
    const store = await make(t);
    assert.equal(await store.read(() => 'at once'), 'at once');
    const fault = new Error('at once');
    const throwing = store.read(() => {
      throw fault;
    });
    await assert.rejects(throwing, (error) => error === fault);
    await store.close();
  });

  test('read units under way when the closing begins are done', async (t) => {
    const store = await make(t);
    await addUser(store, 'ada');
    const begun = Promise.withResolvers<void>();
    const reading = store.read(async ({ users }) => {
      let counted = await users.count();
      begun.resolve();
      for (let round = 0; round < 50; round++) counted = await users.count();
      return counted;
    });
    await begun.promise;
    const closing = store.close();
    assert.equal(await reading, 1);
    await closing;
  });
}
