import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ReadUnit, WriteUnit } from '../../../src/core/storage/store.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openUntilEnd } from './folder.ts';

const STORE = 'workspace://SpacesStore';
const NODE = { store: STORE, id: 'n1', type: 'cm:content', name: 'report', parent: 'company-home' };

/** What is read, and what changes the answer. */
const READS: readonly (readonly [
  string,
  (unit: ReadUnit) => Promise<unknown>,
  ...((unit: WriteUnit) => Promise<unknown>)[],
])[] = [
  [
    'a node by id',
    (unit) => unit.nodes.find(STORE, 'n1'),
    (unit) => unit.nodes.put(NODE),
    (unit) => unit.nodes.put({ ...NODE, name: 'plan' }),
    (unit) => unit.nodes.remove(STORE, 'n1'),
  ],
  [
    'a node by name',
    (unit) => unit.nodes.child(STORE, 'company-home', 'report'),
    (unit) => unit.nodes.put(NODE),
    (unit) => unit.nodes.put({ ...NODE, name: 'plan' }),
  ],
  [
    'a node by its path',
    (unit) => unit.nodes.at(STORE, ['Company Home', 'report']),
    (unit) => unit.nodes.put(NODE),
    (unit) => unit.nodes.put({ ...NODE, name: 'plan' }),
  ],
  [
    'the root of a store',
    (unit) => unit.nodes.root('archive://Other'),
    (unit) => unit.nodes.put({ store: 'archive://Other', id: 'r', type: 'cm:folder', name: 'root' }),
  ],
];

async function twoStores(t: TestContext) {
  const folder = await temporaryFolder(t);
  return [openUntilEnd(t, folder), openUntilEnd(t, folder)] as const;
}

for (const [what, read, ...changes] of READS) {
  test(`${what} is read as the last commit left it, by the store that committed and by another`, async (t) => {
    const [one, other] = await twoStores(t);
    for (const [index, change] of changes.entries()) {
      const before = await one.read(read);
      assert.deepEqual(await other.read(read), before);
      await (index % 2 === 0 ? one : other).write(change);
      const after = await one.read(read);
      assert.notDeepEqual(after, before);
      assert.deepEqual(await other.read(read), after);
      assert.equal(await one.read(read), after, 'it is not looked up again');
    }
  });
}
