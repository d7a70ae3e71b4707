import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Node,
  SPACES_STORE as SPACES,
} from '../../../../src/capabilities/action-definitions/domain/node.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import type { MakeStore } from './samples.ts';

function aNode(id: string, more: Partial<Node> = {}): Node {
  const whole: Required<Node> = { store: SPACES, id, type: 'cm:folder', name: id, parent: 'sites' };
  return { ...whole, ...more };
}

const everyNode = (store: Store) => store.read((unit) => unit.nodes.page(undefined, 100));

/** Nodes obey the promises of units: all or nothing, committed state for readers, own changes for the writer. */
export function nodesChangeInUnits(make: MakeStore): void {
  test('a unit that fails leaves every node as it was, and makes no store', async (t) => {
    const store = await make(t);
    await store.write((unit) => unit.nodes.put(aNode('a')));
    const before = await everyNode(store);
    const fault = new Error('on purpose');
    const failing = store.write(async ({ nodes }) => {
      await nodes.put(aNode('b'));
      await nodes.put(aNode('a', { type: 'cm:content', name: 'renamed' }));
      await nodes.put({ store: 'archive://New', id: 'top', type: 'cm:folder', name: 'Top' });
      await nodes.remove(SPACES, 'guest-home');
      throw fault;
    });
    await assert.rejects(failing, fault);
    assert.deepEqual(await everyNode(store), before);
    assert.equal(await store.read((unit) => unit.nodes.root('archive://New')), undefined);
  });

  test('a unit sees its own nodes before anybody else does', async (t) => {
    const store = await make(t);
    await store.write(async ({ nodes }) => {
      await nodes.put(aNode('a'));
      await nodes.put(aNode('b', { parent: 'a' }));
      assert.deepEqual(await nodes.find(SPACES, 'a'), aNode('a'));
      assert.equal((await nodes.child(SPACES, 'a', 'b'))?.id, 'b');
      assert.equal(await nodes.hasChildren(SPACES, 'a'), true);
      assert.equal(await store.read((unit) => unit.nodes.find(SPACES, 'a')), undefined);
      await nodes.remove(SPACES, 'b');
      assert.equal(await nodes.hasChildren(SPACES, 'a'), false);
      assert.deepEqual(await nodes.children(SPACES, 'sites'), [aNode('a')]);
    });
    assert.deepEqual(await store.read((unit) => unit.nodes.find(SPACES, 'a')), aNode('a'));
    assert.equal(await store.read((unit) => unit.nodes.find(SPACES, 'b')), undefined);
  });

  test('a name that a node gives up can be taken by another in the same unit', async (t) => {
    const store = await make(t);
    await store.write((unit) => unit.nodes.put(aNode('a', { name: 'wanted' })));
    await store.write(async ({ nodes }) => {
      await nodes.put(aNode('a', { name: 'other' }));
      await nodes.put(aNode('b', { name: 'wanted' }));
    });
    await store.read(async ({ nodes }) => {
      assert.equal((await nodes.child(SPACES, 'sites', 'wanted'))?.id, 'b');
      assert.equal((await nodes.child(SPACES, 'sites', 'other'))?.id, 'a');
    });
  });
}
