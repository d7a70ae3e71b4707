import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Node } from '../../../../src/capabilities/action-definitions/domain/node.ts';
import type { Nodes } from '../../../../src/capabilities/action-definitions/tables/nodes.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { aLine, freshStore, importInto, nodeIn, nodesIn } from './import-lines.ts';

const placeOf = ({ id, parent }: Node) => `${parent}/${id}`;

test('a node may come before the node that it lies in, in the same batch or in an earlier one', async (t) => {
  const chain = Array.from({ length: 40 }, (_, n) =>
    aLine(`n${n}`, { parent: n === 0 ? 'sites' : `n${n - 1}` }),
  );
  for (const batch of [1, 3, 7, 40, 1_000]) {
    for (const texts of [chain, chain.toReversed()]) {
      const store = freshStore(t);
      const { imported, refused } = await importInto(store, texts, batch);
      assert.deepEqual({ imported, refused }, { imported: 40, refused: 0 }, `batches of ${batch}`);
      assert.equal((await nodeIn(store, 'n39'))?.parent, 'n38');
    }
  }
});

/** Trees of folders. The parent of each node is an earlier one, or Sites. */
const trees = fc
  .array(fc.nat(), { minLength: 1, maxLength: 40 })
  .map((seeds) =>
    seeds.map((seed, n) => aLine(`n${n}`, { parent: seed % (n + 1) === n ? 'sites' : `n${seed % (n + 1)}` })),
  );

test('whatever the order of the lines and the size of batches, the same nodes are there afterwards', async (t) => {
  const arbitrary = trees.chain((texts) =>
    fc.tuple(
      fc.constant(texts),
      fc.shuffledSubarray(texts, { minLength: texts.length }),
      fc.integer({ min: 1, max: 50 }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(arbitrary, async ([texts, shuffled, batch]) => {
      const [one, other] = [freshStore(t), freshStore(t)];
      await importInto(one, texts);
      const { imported, lines } = await importInto(other, shuffled, batch);
      assert.equal(imported, texts.length);
      assert.deepEqual(lines, []);
      assert.deepEqual((await nodesIn(other)).map(placeOf).sort(), (await nodesIn(one)).map(placeOf).sort());
    }),
    { numRuns: 60 },
  );
});

test('a name that one line of a batch takes and another gives up is free, whichever comes first', async (t) => {
  const taking = aLine('new', { name: 'wanted' });
  const givingUp = aLine('old', { name: 'other' });
  for (const texts of [
    [taking, givingUp],
    [givingUp, taking],
  ]) {
    const store = freshStore(t);
    await importInto(store, [aLine('old', { name: 'wanted' })]);
    const { lines } = await importInto(store, texts);
    assert.deepEqual(lines, []);
    assert.equal((await nodeIn(store, 'new'))?.name, 'wanted');
    assert.equal((await nodeIn(store, 'old'))?.name, 'other');
  }
});

test('a node that changes places with the one that it lay in may come before or after it in a batch', async (t) => {
  const down = aLine('upper', { parent: 'lower' });
  const up = aLine('lower', { parent: 'sites' });
  for (const texts of [
    [down, up],
    [up, down],
  ]) {
    const store = freshStore(t);
    await importInto(store, [aLine('upper'), aLine('lower', { parent: 'upper' })]);
    const { lines } = await importInto(store, texts);
    assert.deepEqual(lines, []);
    assert.equal((await nodeIn(store, 'upper'))?.parent, 'lower');
    assert.equal((await nodeIn(store, 'lower'))?.parent, 'sites');
  }
});

/** The store, with a count of name look-ups. An import makes one each time it tries to put a node. */
function counted(store: Store): { store: Store; tries: () => number } {
  let tries = 0;
  const write: Store['write'] = (work) =>
    store.write(({ nodes, ...unit }) => {
      const child: Nodes['child'] = (...place) => {
        tries += 1;
        return nodes.child(...place);
      };
      return work({ ...unit, nodes: { ...nodes, child } });
    });
  return { store: { ...store, write }, tries: () => tries };
}

const MANY = Array.from({ length: 1_000 }, (_, n) => n);
/** The same numbers in an order in which neighbours are far apart. */
const MIXED = MANY.map((n) => (n * 387) % MANY.length);

for (const [kind, before, after] of [
  [
    'each take the name of the next',
    (n: number) => aLine(`n${n}`),
    (n: number) => aLine(`n${n}`, { name: `n${n + 1}` }),
  ],
  [
    'are turned upside down',
    (n: number) => aLine(`n${n}`, { parent: n === 0 ? 'sites' : `n${n - 1}` }),
    (n: number) => aLine(`n${n}`, { parent: n === MANY.length - 1 ? 'sites' : `n${n + 1}` }),
  ],
] as const) {
  test(`many nodes of one batch that ${kind} are tried a few times each, in whatever order they come`, async (t) => {
    for (const order of [MANY, MANY.toReversed(), MIXED]) {
      const empty = freshStore(t);
      await importInto(empty, MANY.map(before));
      const { store, tries } = counted(empty);
      const { lines } = await importInto(store, order.map(after));
      assert.deepEqual(lines, []);
      assert.ok(tries() < 5 * MANY.length, `${tries()} tries`);
    }
  });
}

test('nodes that swap their names are refused: neither name is free before the other', async (t) => {
  const store = freshStore(t);
  await importInto(store, [aLine('a'), aLine('b')]);
  const { imported, lines } = await importInto(store, [aLine('a', { name: 'b' }), aLine('b', { name: 'a' })]);
  assert.equal(imported, 0);
  assert.deepEqual(
    lines.map(({ number }) => number),
    [1, 2],
  );
});
