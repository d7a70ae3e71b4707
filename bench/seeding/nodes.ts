import { type Node, SPACES_STORE } from '../../src/capabilities/action-definitions/domain/node.ts';
import { openSqlite } from '../../test/service/stores.ts';

/** Nodes in each folder. */
const PER_FOLDER = 1_000;
/** Nodes in one write unit. */
const BATCH = 50_000;

const folderOf = (number: number) => Math.floor(number / PER_FOLDER);

/** The id of the document with this number, from 0 on. */
export const nodeId = (number: number) => `document-${number}`;

/** The path of that document in a URL, with three names. */
export const nodePath = (number: number) =>
  `Company%20Home/Folder%20${folderOf(number)}/Document%20${number}`;

function* nodesFor(count: number): Generator<Node> {
  const store = SPACES_STORE;
  for (let number = 0; number < count; number += 1) {
    const folder = folderOf(number);
    const parent = `folder-${folder}`;
    if (number % PER_FOLDER === 0)
      yield { store, id: parent, type: 'cm:folder', name: `Folder ${folder}`, parent: 'company-home' };
    yield { store, id: nodeId(number), type: 'cm:content', name: `Document ${number}`, parent };
  }
}

/** Adds documents, in folders, to the store in a data folder. */
export async function seedNodes(folder: string, count: number): Promise<void> {
  const store = openSqlite(folder);
  const nodes = nodesFor(count);
  try {
    for (let done = false; !done; ) {
      await store.write(async (unit) => {
        for (let put = 0; put < BATCH && !done; put += 1) {
          const next = nodes.next();
          if (next.done) done = true;
          else await unit.nodes.put(next.value);
        }
      });
    }
  } finally {
    await store.close();
  }
}
