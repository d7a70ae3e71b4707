import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOfSecret } from '../../src/core/identity/client-secret.ts';
import type { WriteUnit } from '../../src/core/storage/store.ts';
import { aCounter, aKey, aUser, NOW } from '../core/storage/conformance/samples.ts';
import { watchedStore } from './watched-store.ts';

const CHANGES: Readonly<Record<string, (unit: WriteUnit) => Promise<unknown>>> = {
  'a user': ({ users }) => users.add(aUser('ada')),
  'a name that was removed': ({ users }) => users.remove(1),
  'a generation': ({ tickets }) => tickets.raiseServerGeneration(),
  'a counter': ({ attempts }) => attempts.put(aKey('ada'), undefined, aCounter()),
  'a familiar address': ({ attempts }) => attempts.setFamiliar(1, '192.0.2.1', NOW),
  'an event': ({ events }) => events.append({ at: NOW, kind: 'login' }),
  'a node': ({ nodes }) => nodes.remove('workspace://SpacesStore', 'sites'),
  'a client': ({ clients }) =>
    clients.add({ name: 'gateway', secretDigest: digestOfSecret('secret'), addedAt: NOW }),
};

test('the store that the laws watch shows every change, of whatever kind', async () => {
  const store = watchedStore();
  for (const [what, change] of Object.entries(CHANGES)) {
    const before = store.contents();
    await store.write(change);
    assert.notEqual(store.contents(), before, what);
  }
});
