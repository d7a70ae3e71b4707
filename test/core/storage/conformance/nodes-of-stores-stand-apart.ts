import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Node,
  SPACES_STORE as SPACES,
} from '../../../../src/capabilities/action-definitions/domain/node.ts';
import type { MakeStore } from './samples.ts';

const ARCHIVE = 'archive://SpacesStore';
const BIN: Node = { store: ARCHIVE, id: 'company-home', type: 'cm:folder', name: 'Bin' };
const SITES: Node = {
  store: ARCHIVE,
  id: 'sites',
  type: 'cm:content',
  name: 'Sites',
  parent: 'company-home',
};

/** Nodes of different stores are different, even with the same ids and names. */
export function nodesOfStoresStandApart(make: MakeStore): void {
  test('the same ids and names mean other nodes in another store', async (t) => {
    const store = await make(t);
    await store.write(async ({ nodes }) => {
      for (const node of [BIN, SITES]) await nodes.put(node);
    });
    await store.read(async ({ nodes }) => {
      assert.deepEqual(await nodes.root(ARCHIVE), BIN);
      assert.deepEqual(await nodes.find(ARCHIVE, 'sites'), SITES);
      assert.deepEqual(await nodes.child(ARCHIVE, 'company-home', 'Sites'), SITES);
      assert.deepEqual(await nodes.children(ARCHIVE, 'company-home'), [SITES]);
      assert.equal((await nodes.root(SPACES))?.name, 'Company Home');
      assert.equal((await nodes.find(SPACES, 'sites'))?.type, 'st:sites');
      assert.equal((await nodes.children(SPACES, 'company-home')).length, 4);
    });
  });

  test('what is removed from one store stays in the other', async (t) => {
    const store = await make(t);
    await store.write(async ({ nodes }) => {
      for (const node of [BIN, SITES]) await nodes.put(node);
    });
    await store.write((unit) => unit.nodes.remove(SPACES, 'sites'));
    await store.read(async ({ nodes }) => {
      assert.equal(await nodes.find(SPACES, 'sites'), undefined);
      assert.deepEqual(await nodes.find(ARCHIVE, 'sites'), SITES);
      assert.equal(await nodes.hasChildren(ARCHIVE, 'company-home'), true);
    });
  });
}
