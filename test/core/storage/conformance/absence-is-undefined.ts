import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachCounter } from '../../../../src/core/storage/store.ts';
import { aDigest, aKey, aTry, contents, type MakeStore, NOW, shown } from './samples.ts';

/** What does not exist is `undefined`, empty or zero. Changing it does nothing. */
export function absenceIsUndefined(make: MakeStore): void {
  test('what is not there is undefined, empty or zero', async (t) => {
    const store = await make(t);
    await store.read(async ({ users, tickets, attempts, events, nodes, clients }) => {
      assert.equal(await users.find(1), undefined);
      assert.equal(await users.findByKey('nobody'), undefined);
      assert.equal(await users.near(0), undefined);
      assert.equal(await users.wasRemoved('nobody'), false);
      assert.deepEqual(await users.list(), []);
      assert.equal(await users.count(), 0);
      assert.equal(await tickets.find(aDigest(1)), undefined);
      assert.deepEqual(await tickets.listOf(1), []);
      assert.equal(await tickets.countOf(1), 0);
      assert.deepEqual(await tickets.page(undefined, 10), []);
      const nothing = eachCounter(() => undefined);
      assert.deepEqual(shown(await attempts.throttleState(aTry('nobody'))), {
        user: undefined,
        counters: nothing,
        familiarSince: undefined,
      });
      assert.deepEqual(await events.list({}), []);
      assert.equal(await nodes.find('no://store', 'x'), undefined);
      assert.equal(await nodes.root('no://store'), undefined);
      assert.equal(await nodes.child('no://store', 'x', 'y'), undefined);
      assert.deepEqual(await nodes.children('no://store', 'x'), []);
      assert.equal(await nodes.hasChildren('no://store', 'x'), false);
      assert.equal(await clients.find('nobody'), undefined);
      assert.deepEqual(await clients.list(), []);
    });
  });

  test('what is not there can be changed, ended, used, forgotten and swept, to no effect', async (t) => {
    const store = await make(t);
    await store.write(async ({ users, tickets, attempts, events, nodes, clients }) => {
      await users.change(1, { generation: 2 });
      await users.remove(1);
      assert.equal(await tickets.end(aDigest(1)), false);
      await tickets.use(aDigest(1), NOW);
      await attempts.remove(aKey('nobody'));
      await attempts.removeOfName(aKey('nobody'));
      await attempts.trim(0, NOW);
      await attempts.forgetFamiliar(1, '192.0.2.1');
      await attempts.sweepFamiliar(NOW, 10);
      assert.equal(await events.sweep(NOW, 10), 0);
      await nodes.remove('no://store', 'x');
      assert.equal(await clients.remove('nobody'), false);
    });
    assert.deepEqual(await contents(store), { users: 0, tickets: 0, events: 0 });
  });
}
