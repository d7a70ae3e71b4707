import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holderOf } from '../../../../src/core/domain/user.ts';
import type { WriteUnit } from '../../../../src/core/storage/store.ts';
import {
  aCounter,
  addUser,
  aKey,
  aTicket,
  aUser,
  contents,
  counterOf,
  familiarSince,
  issue,
  type MakeStore,
  NOW,
} from './samples.ts';

const ROOT = { store: 'archive://Old', id: 'top', type: 'cm:folder', name: 'Top' };

async function writeEverything(unit: WriteUnit, familiar: number): Promise<void> {
  const ben = await unit.users.add(aUser('ben'));
  if (ben === undefined) throw new Error('ben is taken');
  await unit.tickets.issue(aTicket(2, ben));
  await unit.attempts.put(aKey('ben'), undefined, aCounter());
  await unit.attempts.setFamiliar(familiar, '192.0.2.1', NOW);
  await unit.events.append({ at: NOW, kind: 'login', user: 'ben' });
  await unit.events.tally({ at: NOW, kind: 'login-refused', user: 'ben' }, 3);
  await unit.tickets.raiseServerGeneration();
  await unit.nodes.put(ROOT);
}

/** A write unit is all or nothing, over all tables. What `work` throws is passed on as it is. */
export function writeIsAllOrNothing(make: MakeStore): void {
  test('what a unit wrote is there for the next one once it resolves, over all tables', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await store.write((unit) => writeEverything(unit, ada.id));
    assert.deepEqual(await contents(store), { users: 2, tickets: 1, events: 2 });
    await store.read(async (unit) => {
      assert.deepEqual(await counterOf(unit, aKey('ben')), aCounter());
      assert.equal(await familiarSince(unit, 'ada', '192.0.2.1'), NOW);
      assert.equal(await unit.tickets.serverGeneration(), 1);
      assert.deepEqual(await unit.nodes.root(ROOT.store), ROOT);
    });
  });

  test('a unit that throws leaves nothing behind, and its error is passed on as it is', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const fault = new Error('after everything');
    const failing = store.write(async (unit) => {
      await writeEverything(unit, ada.id);
      throw fault;
    });
    await assert.rejects(failing, (error) => error === fault);
    assert.deepEqual(await contents(store), { users: 1, tickets: 0, events: 0 });
    await store.read(async (unit) => {
      assert.equal(await counterOf(unit, aKey('ben')), undefined);
      assert.equal(await familiarSince(unit, 'ada', '192.0.2.1'), undefined);
      assert.equal(await unit.tickets.serverGeneration(), 0);
      assert.equal(await unit.nodes.root(ROOT.store), undefined);
    });
  });

  test('a unit that throws undoes its removals and changes as well', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const ticket = aTicket(1, ada);
    await issue(store, ticket);
    const failing = store.write(async (unit) => {
      await unit.tickets.end(ticket.digest);
      await unit.users.change(ada.id, { generation: 9 });
      await unit.users.remove(ada.id);
      throw new Error('after the removals');
    });
    await assert.rejects(failing, /after the removals/);
    assert.deepEqual(await store.read((unit) => unit.tickets.find(ticket.digest)), {
      ticket,
      user: holderOf(ada),
      serverGeneration: 0,
    });
  });

  test('a unit that throws before its first await fails like any other', async (t) => {
    const store = await make(t);
    const failing = store.write(() => {
      throw new Error('at once');
    });
    await assert.rejects(failing, /at once/);
    assert.equal((await addUser(store, 'ada')).name, 'ada');
  });

  test('a unit passes its value on', async (t) => {
    const store = await make(t);
    assert.equal(await store.write(async () => 'written'), 'written');
    assert.equal(await store.read(async () => 'read'), 'read');
  });
}
