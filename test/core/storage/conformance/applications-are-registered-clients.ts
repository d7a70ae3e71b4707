import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApplicationSettings } from '../../../../src/capabilities/oidc-provider/application.ts';
import { bytesOf } from '../../../../src/core/domain/ticket.ts';
import { aDigest, type MakeStore, NOW } from './samples.ts';

const SETTINGS: ApplicationSettings = {
  redirectUris: ['https://a.example/back'],
  title: 'a\u{1f600}',
  claims: { groups: 'roles' },
};
const client = (name: string) => ({ name, secretDigest: bytesOf(aDigest(1)), addedAt: NOW });

/** An application is a registered client with settings, and goes with it. */
export function applicationsAreRegisteredClients(make: MakeStore): void {
  test('a registered client becomes an application by its settings, and no other name does', async (t) => {
    const store = await make(t);
    await store.write(async ({ clients, applications }) => {
      for (const name of ['b', 'a', 'plain']) await clients.add(client(name));
      for (const name of ['b', 'a']) assert.equal(await applications.put(name, { redirectUris: [] }), true);
      assert.equal(await applications.put('a', SETTINGS), true);
      assert.equal(await applications.put('none', SETTINGS), false);
    });
    await store.read(async ({ applications }) => {
      const a = { ...client('a'), settings: SETTINGS };
      assert.deepEqual(await applications.find('a'), a);
      assert.deepEqual(await applications.list(), [a, { ...client('b'), settings: { redirectUris: [] } }]);
      for (const name of ['plain', 'none', 'A']) assert.equal(await applications.find(name), undefined);
    });
  });

  test('a client that is removed is an application no more, also under its name again', async (t) => {
    const store = await make(t);
    await store.write(async ({ clients, applications }) => {
      await clients.add(client('a'));
      await applications.put('a', SETTINGS);
    });
    await store.write(({ clients }) => clients.remove('a'));
    await store.write(({ clients }) => clients.add(client('a')));
    assert.equal(await store.read(({ applications }) => applications.find('a')), undefined);
  });

  test('of a client that is removed while it becomes an application nothing is left', async (t) => {
    const store = await make(t);
    await store.write(({ clients }) => clients.add(client('a')));
    await Promise.all([
      store.write(({ applications }) => applications.put('a', SETTINGS)),
      store.write(({ clients }) => clients.remove('a')),
    ]);
    await store.write(({ clients }) => clients.add(client('a')));
    assert.deepEqual(await store.read(({ applications }) => applications.list()), []);
  });
}
