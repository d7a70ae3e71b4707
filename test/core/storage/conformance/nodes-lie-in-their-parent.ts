import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node } from '../../../../src/capabilities/action-definitions/domain/node.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import type { MakeStore } from './samples.ts';

const PLACE = 'archive://Old';
const ROOT: Node = { store: PLACE, id: 'top', type: 'cm:folder', name: 'Top' };

const below = (parent: string, id: string, name = id): Node => ({
  store: PLACE,
  id,
  type: 'cm:content',
  name,
  parent,
});

function put(store: Store, ...nodes: readonly Node[]): Promise<void> {
  return store.write(async (unit) => {
    for (const node of nodes) await unit.nodes.put(node);
  });
}

/** Nodes are found by id and by name in their parent, in their own store, as they were put last. */
export function nodesLieInTheirParent(make: MakeStore): void {
  test('a node that was put is found by id, as root or child, and in its own store only', async (t) => {
    const store = await make(t);
    const node = below('top', 'x', 'It\'s <b>"x"</b> 😀');
    await put(store, ROOT, node);
    await store.read(async ({ nodes }) => {
      assert.deepEqual(await nodes.root(PLACE), ROOT);
      assert.deepEqual(await nodes.find(PLACE, 'x'), node);
      assert.deepEqual(await nodes.child(PLACE, 'top', node.name), node);
      assert.equal(await nodes.find('archive://New', 'x'), undefined);
      assert.equal(await nodes.root('archive://New'), undefined);
      assert.equal(await nodes.child(PLACE, 'x', node.name), undefined);
      assert.equal(await nodes.hasChildren(PLACE, 'top'), true);
      assert.equal(await nodes.hasChildren(PLACE, 'x'), false);
      assert.equal(await nodes.hasChildren('archive://New', 'top'), false);
    });
  });

  test('names are compared as they are kept, by no collation of the engine', async (t) => {
    const store = await make(t);
    const names = ['sites', 'Sites', 'SITES', 'sites ', 's\u00edtes', 'si\u0301tes'];
    await put(store, ROOT, ...names.map((name, n) => below('top', `id ${n}`, name)));
    for (const [n, name] of names.entries()) {
      const found = await store.read((unit) => unit.nodes.child(PLACE, 'top', name));
      assert.equal(found?.id, `id ${n}`);
    }
    assert.equal(await store.read((unit) => unit.nodes.child(PLACE, 'top', 'siteS')), undefined);
  });

  test('names lead to the node at their end, from the root on, and nowhere when one of them is wrong', async (t) => {
    const store = await make(t);
    const [folder, deep] = [below('top', 'folder', 'a/b'), below('folder', 'deep', '1 \0x')];
    await put(store, ROOT, folder, deep, below('top', 'other', 'a'), below('deep', 'Top'));
    const at = (...names: string[]) => store.read(({ nodes }) => nodes.at(PLACE, names));
    assert.deepEqual(await at('Top'), ROOT);
    assert.deepEqual(await at('Top', 'a/b'), folder);
    assert.deepEqual(await at('Top', 'a/b', '1 \0x'), deep);
    for (const names of [
      [],
      ['top'],
      ['a/b'],
      ['', 'Top'],
      ['Top', 'a', 'b'],
      ['Top', 'a/b', '1'],
      ['Top', 'other', '1 \0x'],
      ['Top', 'a/b', '1 \0x', ''],
      ['Top', 'a/b', '1 \0x', 'Top', 'Top'],
    ])
      assert.equal(await at(...names), undefined, JSON.stringify(names));
    assert.equal(await store.read(({ nodes }) => nodes.at('archive://New', ['Top'])), undefined);
    await put(store, { ...folder, name: 'renamed' });
    assert.equal(await at('Top', 'a/b', '1 \0x'), undefined);
    assert.deepEqual(await at('Top', 'renamed', '1 \0x'), deep);
  });

  test('children are listed by name, those of this parent alone', async (t) => {
    const store = await make(t);
    const names = ['10', '9', 'B', 'a', 'ä', '\uff41', '\u{1f600}'];
    await put(store, ROOT, below('top', 'a', 'a'), below('a', 'deeper'));
    await put(store, ...[...names].reverse().map((name) => below('top', name)));
    const children = await store.read((unit) => unit.nodes.children(PLACE, 'top'));
    assert.deepEqual(
      children.map(({ name }) => name),
      names,
    );
    assert.deepEqual(await store.read((unit) => unit.nodes.children(PLACE, 'deeper')), []);
  });

  test('a node that is put again is renamed, moved and retyped in its place', async (t) => {
    const store = await make(t);
    await put(store, ROOT, below('top', 'a'), below('top', 'b'));
    const moved = { ...below('b', 'a', 'renamed'), type: 'cm:folder' };
    await put(store, moved);
    await store.read(async ({ nodes }) => {
      assert.deepEqual(await nodes.find(PLACE, 'a'), moved);
      assert.deepEqual(await nodes.child(PLACE, 'b', 'renamed'), moved);
      assert.equal(await nodes.child(PLACE, 'top', 'a'), undefined);
      assert.deepEqual(await nodes.children(PLACE, 'top'), [below('top', 'b')]);
    });
  });

  test('a removed node is gone, and no other', async (t) => {
    const store = await make(t);
    await put(store, ROOT, below('top', 'a'), below('top', 'b'));
    await store.write((unit) => unit.nodes.remove(PLACE, 'a'));
    await store.read(async ({ nodes }) => {
      assert.equal(await nodes.find(PLACE, 'a'), undefined);
      assert.equal(await nodes.child(PLACE, 'top', 'a'), undefined);
      assert.deepEqual(await nodes.find(PLACE, 'b'), below('top', 'b'));
    });
  });
}
