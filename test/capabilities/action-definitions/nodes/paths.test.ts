import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { type Node, SPACES_STORE } from '../../../../src/capabilities/action-definitions/domain/node.ts';
import { locate } from '../../../../src/capabilities/action-definitions/nodes/locate.ts';
import { isRefusal } from '../../../../src/core/domain/refusal.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { openMemory } from '../../../engines/memory/open.ts';
import { afterwards } from '../../../service/afterwards.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';
import { aLine, importInto } from './import-lines.ts';

/** A tree: the name of each node, and the index of its parent among the earlier ones. Its own index means the top. */
interface Seed {
  readonly name: string;
  readonly parent: number;
}

/** Names that are easily confused, and arbitrary names. */
const names = fc.oneof(
  fc.constantFrom('a', 'A', 'a ', 'b', 'a/b', '..', '.', '%', '\u00e4', 'a\u0308', '\u{1F600}'),
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 8 })
    .filter((text) => [...text].every((character) => character >= ' ')),
);

const seeds = fc.array(fc.record({ name: names, parent: fc.nat() }), { minLength: 1, maxLength: 30 });

interface Placed {
  readonly id: string;
  readonly parent: string;
  readonly path: readonly string[];
}

/** The nodes of a tree with their paths. A node whose name is taken is left out. */
function placed(tree: readonly Seed[], prefix: string): Placed[] {
  const nodes: Placed[] = [];
  const taken = new Set<string>();
  for (const { name, parent } of tree) {
    const above = nodes[parent % (nodes.length + 1)];
    const node = {
      id: `${prefix}${nodes.length}`,
      parent: above?.id ?? 'sites',
      path: [...(above?.path ?? ['Company Home', 'Sites']), name],
    };
    const place = `${node.parent} ${name.normalize('NFC')}`;
    if (taken.has(place)) continue;
    taken.add(place);
    nodes.push(node);
  }
  return nodes;
}

const find = (store: Store, path: readonly string[]) =>
  store.read((unit) => locate(unit, { store: SPACES_STORE, path }));

const ENGINES: Readonly<Record<string, (t: TestContext) => Promise<Store>>> = {
  memory: async () => openMemory(),
  SQLite: async (t) => openSqlite(await temporaryFolder(t)),
};

for (const [engine, open] of Object.entries(ENGINES)) {
  test(`${engine}: after an import in any order every path leads to its node, and none with another segment does`, async (t) => {
    const store = await open(t);
    afterwards(t, () => store.close());
    let run = 0;
    const property = fc.asyncProperty(
      seeds,
      fc.infiniteStream(fc.nat()),
      names,
      async (tree, chance, other) => {
        // All runs use one store; each has its own folder.
        const home = `run${run++}`;
        await importInto(store, [aLine(home)]);
        const nodes = placed(tree, `${home}-`).map(({ id, parent, path }) => {
          const [top, sites, ...rest] = path as [string, string, ...string[]];
          return { id, parent: parent === 'sites' ? home : parent, path: [top, sites, home, ...rest] };
        });
        const texts = nodes
          .map(({ id, parent, path }) => ({
            text: aLine(id, { parent, name: path.at(-1) }),
            at: chance.next().value,
          }))
          .sort((one, next) => one.at - next.at)
          .map(({ text }) => text);
        const { lines } = await importInto(store, texts, 7);
        assert.deepEqual(lines, []);
        const paths = new Map(
          nodes.map((node) => [JSON.stringify(node.path.map((name) => name.normalize('NFC'))), node]),
        );
        for (const { id, path } of nodes) {
          assert.equal(((await find(store, path)) as Node).id, id);
          assert.equal(
            (
              (await find(
                store,
                path.map((name) => name.normalize('NFD')),
              )) as Node
            ).id,
            id,
          );
          const changed = path.with(chance.next().value % path.length, other);
          const meant = paths.get(JSON.stringify(changed.map((name) => name.normalize('NFC'))));
          const found = await find(store, changed);
          if (meant !== undefined) assert.equal((found as Node).id, meant.id);
          else if (isRefusal(found)) assert.equal(found.refused, 'path_not_found');
          else assert.fail(`${JSON.stringify(changed)} leads to ${found.id}`);
        }
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });
}
