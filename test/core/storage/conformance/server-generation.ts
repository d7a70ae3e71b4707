import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateOf } from '../../../../src/core/domain/ticket.ts';
import { aDigest, addUser, aTicket, issue, type MakeStore, NOW } from './samples.ts';

const LIFETIME = { idle: Number.POSITIVE_INFINITY, age: Number.POSITIVE_INFINITY };

/** A raise ends every ticket issued so far, and none that is issued later. */
export function serverGeneration(make: MakeStore): void {
  test('each raise gives the next generation, which readers then see', async (t) => {
    const store = await make(t);
    const before = await store.read((unit) => unit.tickets.serverGeneration());
    for (const by of [1, 2, 3]) {
      assert.equal(await store.write((unit) => unit.tickets.raiseServerGeneration()), before + by);
      assert.equal(await store.read((unit) => unit.tickets.serverGeneration()), before + by);
      assert.equal(await store.write((unit) => unit.tickets.serverGeneration()), before + by);
    }
  });

  test('a raise makes every ticket issued so far dead, and none issued after it', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    await issue(store, aTicket(1, ada), aTicket(2, ben));
    const now = await store.write((unit) => unit.tickets.raiseServerGeneration());
    await issue(store, aTicket(3, ada, { serverGeneration: now }));
    const states = [];
    for (const n of [1, 2, 3]) {
      const held = await store.read((unit) => unit.tickets.find(aDigest(n)));
      states.push(held && stateOf(held, NOW, LIFETIME));
    }
    assert.deepEqual(states, ['invalid', 'invalid', 'valid']);
  });
}
