import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Node } from '../../../../src/capabilities/action-definitions/domain/node.ts';
import { bytesOf } from '../../../../src/core/domain/ticket.ts';
import { holderOf } from '../../../../src/core/domain/user.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import {
  aCounter,
  aDigest,
  addUser,
  aKey,
  aTicket,
  counterOf,
  familiarSince,
  issue,
  issueFrom,
  NOW,
} from './samples.ts';

const NODE: Node = {
  store: 'workspace://SpacesStore',
  id: 'n1',
  type: 'cm:content',
  name: 'report',
  parent: 'company-home',
};
const HOME = { from: '192.0.2.1', program: 'curl/8.5.0', appPassword: 'mail' };
const CLIENT = { name: 'gateway', secretDigest: bytesOf(aDigest(1)), addedAt: NOW };

/** Makes an empty place for one test, and returns a function that opens it any number of times. All is closed after the test. */
export type MakePlace = (t: TestContext) => Promise<() => Promise<Store>>;

/** Checks that every later unit of every instance finds what an engine has written. */
export function holdToLasting(engine: string, make: MakePlace): void {
  describe(`${engine} keeps what was written, for every instance`, () => {
    survivesOpeningAgain(make);
    holdsForOtherInstances(make);
  });
}

function survivesOpeningAgain(make: MakePlace): void {
  test('everything survives closing and opening again', async (t) => {
    const open = await make(t);
    const first = await open();
    const ada = await addUser(first, 'ada', { generation: 2 });
    const ben = await addUser(first, 'ben');
    await issueFrom(first, HOME, aTicket(1, ada));
    await first.write(async ({ users, tickets, attempts, events, nodes, clients }) => {
      await users.remove(ben.id);
      await users.setNamesCaseSensitive(true);
      await nodes.put(NODE);
      await clients.add(CLIENT);
      await tickets.raiseServerGeneration();
      await attempts.put(aKey('ada'), aKey('ada'), aCounter());
      await attempts.setFamiliar(ada.id, '192.0.2.1', NOW);
      await events.append({ at: NOW, kind: 'login', user: 'ada' });
      await events.tally({ at: NOW, kind: 'login-refused', user: 'ada' }, 3);
    });
    const events = await first.read((unit) => unit.events.list({}));
    const id = await first.read((unit) => unit.users.databaseId());
    await first.close();
    const second = await open();
    await second.read(async (unit) => {
      const held = { ticket: aTicket(1, ada), user: holderOf(ada), serverGeneration: 1 };
      assert.deepEqual(await unit.tickets.find(aTicket(1, ada).digest), held);
      assert.deepEqual(await unit.tickets.originsOf([aTicket(1, ada)]), [HOME]);
      assert.deepEqual(await counterOf(unit, aKey('ada')), aCounter());
      assert.equal(await familiarSince(unit, 'ada', '192.0.2.1'), NOW);
      assert.deepEqual(await unit.events.list({}), events);
      assert.equal(await unit.users.databaseId(), id);
      assert.equal(await unit.users.namesCaseSensitive(), true);
      assert.deepEqual(
        [await unit.users.wasRemoved('ben'), await unit.users.wasRemoved('ada')],
        [true, false],
      );
      assert.deepEqual(await unit.nodes.find(NODE.store, NODE.id), NODE);
      assert.deepEqual(await unit.clients.list(), [CLIENT]);
    });
  });

  test('the id of a removed user is not given again after opening again', async (t) => {
    const open = await make(t);
    const first = await open();
    const { id } = await addUser(first, 'ada');
    await first.write((unit) => unit.users.remove(id));
    await first.close();
    assert.notEqual((await addUser(await open(), 'ada')).id, id);
  });

  test('a count goes on after opening again, on the same row', async (t) => {
    const open = await make(t);
    for (const times of [2, 3]) {
      const store = await open();
      await store.write((unit) => unit.events.tally({ at: NOW, kind: 'ticket-refused' }, times));
      await store.close();
    }
    const last = await open();
    const [row, ...more] = await last.read((unit) => unit.events.list({}));
    assert.equal(row?.count, 5);
    assert.equal(more.length, 0);
  });
}

function holdsForOtherInstances(make: MakePlace): void {
  test('what one instance writes the other reads at once, and the other way round', async (t) => {
    const open = await make(t);
    const [one, other] = [await open(), await open()];
    const ada = await addUser(one, 'ada');
    assert.deepEqual(await other.read((unit) => unit.users.find(ada.id)), ada);
    await issue(other, aTicket(1, ada));
    assert.ok(await one.read((unit) => unit.tickets.find(aDigest(1))));
    await one.write((unit) => unit.tickets.end(aDigest(1)));
    assert.equal(await other.read((unit) => unit.tickets.find(aDigest(1))), undefined);
    assert.equal(await other.write((unit) => unit.tickets.end(aDigest(1))), false);
    await other.write((unit) => unit.tickets.raiseServerGeneration());
    assert.equal(await one.read((unit) => unit.tickets.serverGeneration()), 1);
    await one.write((unit) => unit.attempts.setFamiliar(ada.id, '192.0.2.1', NOW));
    assert.equal(await other.read((unit) => familiarSince(unit, 'ada', '192.0.2.1')), NOW);
  });

  test('no raise is lost between two instances that read and raise the same user', async (t) => {
    const open = await make(t);
    const [one, other] = [await open(), await open()];
    const { id } = await addUser(one, 'ada');
    const raise = async (store: Store) => {
      for (let n = 0; n < 15; n++) {
        await store.write(async ({ users }) => {
          const user = await users.find(id);
          await users.change(id, { generation: (user?.generation ?? 0) + 1 });
        });
      }
    };
    await Promise.all([raise(one), raise(other)]);
    for (const store of [one, other])
      assert.equal((await store.read((unit) => unit.users.find(id)))?.generation, 30);
  });
}
