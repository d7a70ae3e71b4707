import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WELL_KNOWN_NODES } from '../../../../src/capabilities/action-definitions/domain/node.ts';
import type { MakeStore } from './samples.ts';

/** A fresh store has the nodes that clients expect in it, and no others. */
export function aFreshStoreHasTheWellKnownNodes(make: MakeStore): void {
  test('a fresh store has the well-known nodes, and no others', async (t) => {
    const store = await make(t);
    assert.deepEqual(
      new Set(await store.read((unit) => unit.nodes.page(undefined, 100))),
      new Set(WELL_KNOWN_NODES),
    );
  });

  test('every well-known node is found by its id and by its name in its parent', async (t) => {
    const store = await make(t);
    await store.read(async ({ nodes }) => {
      for (const node of WELL_KNOWN_NODES) {
        assert.deepEqual(await nodes.find(node.store, node.id), node);
        const there = node.parent === undefined;
        const found = there ? nodes.root(node.store) : nodes.child(node.store, node.parent, node.name);
        assert.deepEqual(await found, node);
      }
    });
  });
}
