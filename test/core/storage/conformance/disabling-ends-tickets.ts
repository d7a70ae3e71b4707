import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateOf } from '../../../../src/core/domain/ticket.ts';
import { type User, withDisabled } from '../../../../src/core/domain/user.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { aDigest, addUser, aTicket, issue, type MakeStore, NOW } from './samples.ts';

const LIFETIME = { idle: Number.POSITIVE_INFINITY, age: Number.POSITIVE_INFINITY };

/** Disabling ends a user's tickets with the same write, and enabling revives none of them. */
export function disablingEndsTickets(make: MakeStore): void {
  const setDisabled = (store: Store, id: number, disabled: boolean) =>
    store.write(async ({ users }) => {
      const user = (await users.find(id)) as User;
      await users.change(id, withDisabled(user, disabled));
      return users.find(id);
    });
  const stateOfTicket = async (store: Store, n: number) => {
    const held = await store.read((unit) => unit.tickets.find(aDigest(n)));
    return held && stateOf(held, NOW, LIFETIME);
  };

  test('a disabled user’s tickets are dead for the next unit, and stay so once it is enabled', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada', { generation: 4 }), await addUser(store, 'ben')];
    await issue(store, aTicket(1, ada), aTicket(2, ben));
    assert.equal(await stateOfTicket(store, 1), 'valid');
    assert.deepEqual(await setDisabled(store, ada.id, true), { ...ada, disabled: true, generation: 5 });
    assert.equal(await stateOfTicket(store, 1), 'invalid');
    const enabled = await setDisabled(store, ada.id, false);
    assert.deepEqual(enabled, { ...ada, generation: 6 });
    assert.equal(await stateOfTicket(store, 1), 'invalid');
    await issue(store, aTicket(3, { id: ada.id, generation: 6 }));
    assert.equal(await stateOfTicket(store, 3), 'valid');
    assert.equal(await stateOfTicket(store, 2), 'valid');
  });
}
