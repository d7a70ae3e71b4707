import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeFrom } from '../../../../src/capabilities/action-definitions/commands/nodes/nodes.ts';
import {
  type Node,
  SPACES_STORE as store,
} from '../../../../src/capabilities/action-definitions/domain/node.ts';
import { putNode } from '../../../../src/capabilities/action-definitions/nodes/import.ts';
import { removeNodes, subtree } from '../../../../src/capabilities/action-definitions/nodes/remove.ts';
import type { NodesRead } from '../../../../src/capabilities/action-definitions/tables/nodes.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { openMemory } from '../../../engines/memory/open.ts';

const folder = (id: string, parent: string): Node => ({ store, id, type: 'cm:folder', name: id, parent });
const top = folder('top', 'sites');

/** A store with a folder and its content, and a function that removes all of it as it was read. */
async function onStore() {
  const kept = openMemory();
  const put = (node: Node) => kept.write(({ nodes }) => putNode(nodes, node));
  for (const node of [top, folder('inner', 'top'), folder('deep', 'inner'), folder('deeper', 'deep')])
    assert.equal(await put(node), undefined);
  const found = await kept.read(({ nodes }) => subtree(nodes, top));
  return {
    put,
    remove: () =>
      kept.write(async ({ nodes }) => {
        const fault = await removeNodes(nodes, top, found);
        if (fault !== undefined) throw new Error(fault);
      }),
    left: () =>
      kept.read(async ({ nodes }) => (await subtree(nodes, folder('sites', 'company-home'))).length),
  };
}

test('everything that lies in a node is removed, and nothing else', async () => {
  const { remove, left } = await onStore();
  await remove();
  assert.equal(await left(), 1);
});

test('what was moved out of a node meanwhile is not removed with it, nor what lies in it', async () => {
  const { put, remove, left } = await onStore();
  await put(folder('inner', 'sites'));
  await assert.rejects(remove(), /"deeper" was moved out of "top" meanwhile/);
  assert.equal(await left(), 5);
});

test('what came into a node meanwhile is not left without it', async () => {
  const { put, remove, left } = await onStore();
  await put(folder('new', 'deep'));
  await assert.rejects(remove(), /nodes came into "deep" meanwhile/);
  assert.equal(await left(), 6);
});

test('what came into a node just after it was seen empty is not removed with it unasked', async () => {
  const kept = openMemory();
  const put = (node: Node) => kept.write(({ nodes }) => putNode(nodes, node));
  await put(top);
  const store: Store = {
    ...kept,
    read: (work) =>
      kept.read((unit) => {
        const hasChildren = async (...of: Parameters<NodesRead['hasChildren']>) => {
          const had = await unit.nodes.hasChildren(...of);
          await put(folder('new', 'top'));
          return had;
        };
        return work({ ...unit, nodes: { ...unit.nodes, hasChildren } });
      }),
  };
  await assert.rejects(removeFrom(store, top, false), /nodes came into "top" meanwhile/);
  assert.equal((await kept.read(({ nodes }) => subtree(nodes, top))).length, 2);
});
