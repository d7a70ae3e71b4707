import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateOf } from '../../../../src/core/domain/ticket.ts';
import type { Store, WriteUnit } from '../../../../src/core/storage/store.ts';
import { aDigest, addUser, aTicket, issue, type MakeStore, NOW } from './samples.ts';

const LIFETIME = { idle: Number.POSITIVE_INFINITY, age: Number.POSITIVE_INFINITY };

/** A ticket that moves to a new generation of its user survives the change that ends the others. */
export function aTicketMovesToAGeneration(make: MakeStore): void {
  const statesOf = (store: Store, ...numbers: readonly number[]) =>
    Promise.all(
      numbers.map(async (n) => {
        const held = await store.read((unit) => unit.tickets.find(aDigest(n)));
        return held && stateOf(held, NOW, LIFETIME);
      }),
    );
  /** Raises the user's generation to `to`, and moves the first ticket along. */
  const raise = (id: number, to: number) => async (unit: WriteUnit) => {
    await unit.users.change(id, { generation: to });
    await unit.tickets.moveToGeneration(aDigest(1), to);
  };

  test('one ticket moves along with its user’s generation, and the others end', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada', { generation: 3 }), await addUser(store, 'ben')];
    await issue(store, aTicket(1, ada), aTicket(2, ada), aTicket(3, ben));
    assert.deepEqual(await statesOf(store, 1, 2, 3), ['valid', 'valid', 'valid']);
    const seen = await store.write(async (unit) => {
      await raise(ada.id, 4)(unit);
      return unit.tickets.listOf(ada.id);
    });
    const moved = [aTicket(1, ada, { userGeneration: 4 }), aTicket(2, ada)];
    assert.deepEqual(new Set(seen), new Set(moved));
    assert.deepEqual(new Set(await store.read((unit) => unit.tickets.listOf(ada.id))), new Set(moved));
    assert.deepEqual(await statesOf(store, 1, 2, 3), ['valid', 'invalid', 'valid']);
    await store.write((unit) => unit.users.change(ada.id, { generation: 5 }));
    assert.deepEqual(await statesOf(store, 1, 2), ['invalid', 'invalid']);
  });

  test('a ticket moves one generation forward: never back, and not over one that has ended it', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada', { generation: 3 });
    await issue(store, aTicket(1, ada));
    for (const [to, userGeneration] of [
      [2, 3],
      [5, 3],
      [4, 4],
      [4, 4],
      [3, 4],
      [6, 4],
    ] as const) {
      await store.write((unit) => unit.tickets.moveToGeneration(aDigest(1), to));
      const found = await store.read((unit) => unit.tickets.find(aDigest(1)));
      assert.deepEqual(found?.ticket, aTicket(1, ada, { userGeneration }));
    }
  });

  test('a ticket that another unit ended with its generation is not moved by a unit that found it before', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await issue(store, aTicket(1, ada));
    const found = await store.read((unit) => unit.tickets.find(aDigest(1)));
    await store.write((unit) => unit.users.change(ada.id, { generation: 1 }));
    await store.write(async (unit) => {
      const user = await unit.users.find(ada.id);
      await raise(found?.user.id ?? 0, (user?.generation ?? 0) + 1)(unit);
    });
    assert.deepEqual(await statesOf(store, 1), ['invalid']);
  });

  test('a unit that fails moves no ticket: the next change ends it', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await issue(store, aTicket(1, ada));
    const fault = new Error('the unit fails');
    const failing = store.write(async (unit) => {
      await raise(ada.id, 1)(unit);
      throw fault;
    });
    await assert.rejects(failing, fault);
    assert.deepEqual(await statesOf(store, 1), ['valid']);
    await store.write((unit) => unit.users.change(ada.id, { generation: 1 }));
    assert.deepEqual(await statesOf(store, 1), ['invalid']);
  });

  test('a ticket that has ended does not come back by moving, and a unit may move one that it issued', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await issue(store, aTicket(1, ada));
    await store.write((unit) => unit.tickets.end(aDigest(1)));
    await store.write(raise(ada.id, 1));
    assert.deepEqual(await statesOf(store, 1), [undefined]);
    await store.write(async (unit) => {
      await unit.tickets.issue(aTicket(1, { ...ada, generation: 1 }));
      await raise(ada.id, 2)(unit);
    });
    assert.deepEqual(await statesOf(store, 1), ['valid']);
  });
}
