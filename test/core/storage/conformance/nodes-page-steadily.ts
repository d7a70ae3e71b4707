import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Node, WELL_KNOWN_NODES } from '../../../../src/capabilities/action-definitions/domain/node.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import type { MakeStore } from './samples.ts';

async function walk(store: Store, size: number): Promise<Node[]> {
  const met: Node[] = [];
  for (;;) {
    const page = await store.read((unit) => unit.nodes.page(met.at(-1), size));
    assert.ok(page.length <= size, `a page of ${page.length} where ${size} were asked for`);
    met.push(...page);
    if (page.length < size) return met;
  }
}

/** Pages list the nodes of all stores in an order that never changes. */
export function nodesPageSteadily(make: MakeStore): void {
  test('pages of any size meet every node of every store once, in one order', async (t) => {
    const store = await make(t);
    const added = ['archive://A', 'zoo://Z'].flatMap((place) =>
      Array.from({ length: 6 }, (_, n): Node => {
        const node = { store: place, id: `id ${n}`, type: 'cm:folder', name: `name ${6 - n}` };
        return n === 0 ? node : { ...node, parent: 'id 0' };
      }),
    );
    await store.write(async ({ nodes }) => {
      for (const node of added) await nodes.put(node);
    });
    const whole = await walk(store, 100);
    assert.deepEqual(new Set(whole), new Set([...WELL_KNOWN_NODES, ...added]));
    assert.equal(whole.length, WELL_KNOWN_NODES.length + added.length);
    for (const size of [1, 4, 17]) assert.deepEqual(await walk(store, size), whole, `size ${size}`);
  });
}
