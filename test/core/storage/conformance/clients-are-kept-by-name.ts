import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RegisteredClient } from '../../../../src/core/domain/client.ts';
import { bytesOf } from '../../../../src/core/domain/ticket.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { aDigest, type MakeStore, NOW } from './samples.ts';

const aClient = (name: string, n = 1): Required<RegisteredClient> => ({
  name,
  secretDigest: bytesOf(aDigest(n)),
  addedAt: NOW + n,
});
const add = (store: Store, client: RegisteredClient) => store.write((unit) => unit.clients.add(client));
const list = (store: Store) => store.read((unit) => unit.clients.list());

/** A client is kept under its name, once, and comes back as it was kept. */
export function clientsAreKeptByName(make: MakeStore): void {
  test('a client comes back as it was kept, by its name alone', async (t) => {
    const store = await make(t);
    assert.equal(await add(store, aClient('gateway')), true);
    assert.deepEqual(await store.read((unit) => unit.clients.find('gateway')), aClient('gateway'));
    assert.equal(await store.read((unit) => unit.clients.find('Gateway')), undefined);
    assert.equal(await store.read((unit) => unit.clients.find('gateway ')), undefined);
  });

  test('a name is taken once, and the client that has it stays as it was', async (t) => {
    const store = await make(t);
    const tries = [1, 2, 3].map((n) => add(store, aClient('gateway', n)));
    const added = await Promise.all(tries);
    assert.equal(added.filter((done) => done).length, 1);
    const first = aClient('gateway', added.indexOf(true) + 1);
    assert.equal(await add(store, aClient('gateway', 4)), false);
    assert.deepEqual(await list(store), [first]);
  });

  test('clients are listed by name, in the order of code points', async (t) => {
    const store = await make(t);
    const sorted = ['10', '9', 'A', 'Z', '_', 'a', 'ab', 'b'];
    for (const name of [...sorted].reverse()) await add(store, aClient(name));
    assert.deepEqual(
      (await list(store)).map(({ name }) => name),
      sorted,
    );
  });

  test('a removed client is gone, once, and its name is free', async (t) => {
    const store = await make(t);
    await add(store, aClient('gateway'));
    await add(store, aClient('other'));
    const remove = () => store.write((unit) => unit.clients.remove('gateway'));
    assert.deepEqual([await remove(), await remove()], [true, false]);
    assert.deepEqual(await list(store), [aClient('other')]);
    assert.equal(await add(store, aClient('gateway', 2)), true);
    assert.deepEqual(await store.read((unit) => unit.clients.find('gateway')), aClient('gateway', 2));
  });

  test('a client gets another secret, or none, and stays the same client', async (t) => {
    const store = await make(t);
    await add(store, aClient('gateway'));
    const setSecret = (name: string, digest: Buffer | undefined) =>
      store.write((unit) => unit.clients.setSecret(name, digest));
    for (const secretDigest of [
      aClient('gateway', 2).secretDigest,
      undefined,
      aClient('gateway').secretDigest,
    ]) {
      assert.equal(await setSecret('gateway', secretDigest), true);
      assert.deepEqual(await list(store), [{ ...aClient('gateway'), secretDigest }]);
    }
    assert.equal(await setSecret('other', undefined), false);
    const bare = { ...aClient('bare'), secretDigest: undefined };
    assert.equal(await add(store, bare), true);
    assert.deepEqual(await store.read((unit) => unit.clients.find('bare')), bare);
  });

  test('a unit sees its own client before anybody else does, and a fault undoes it', async (t) => {
    const store = await make(t);
    const fault = new Error('on purpose');
    const failing = store.write(async ({ clients }) => {
      await clients.add(aClient('gateway'));
      assert.deepEqual(await clients.find('gateway'), aClient('gateway'));
      assert.deepEqual(await clients.list(), [aClient('gateway')]);
      assert.equal(await clients.add(aClient('gateway', 2)), false);
      assert.deepEqual(await list(store), []);
      throw fault;
    });
    await assert.rejects(failing, fault);
    assert.deepEqual(await list(store), []);
  });
}
