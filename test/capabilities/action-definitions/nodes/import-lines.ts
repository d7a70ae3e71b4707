import type { TestContext } from 'node:test';
import { Spill } from '../../../../src/capabilities/action-definitions/commands/nodes/import.ts';
import { type Node, SPACES_STORE } from '../../../../src/capabilities/action-definitions/domain/node.ts';
import {
  type ImportReport,
  NodeImport,
  type RefusedLine,
} from '../../../../src/capabilities/action-definitions/nodes/import.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import type { ImportLine } from '../../../../src/faces/cli/lines.ts';
import { openMemory } from '../../../engines/memory/open.ts';
import { afterwards } from '../../../service/afterwards.ts';

/** The result of an import. */
export interface Imported extends ImportReport {
  readonly lines: readonly RefusedLine[];
}

/** A line for a node in the usual store. By default it is a folder below Sites, named like its id. */
export function aLine(id: string, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ store: SPACES_STORE, id, type: 'cm:folder', name: id, parent: 'sites', ...more });
}

async function* numbered(texts: readonly string[]): AsyncGenerator<ImportLine> {
  for (const [index, text] of texts.entries()) yield { number: index + 1, text };
}

/** Imports lines into a store. */
export async function importInto(store: Store, texts: readonly string[], batch = 1_000): Promise<Imported> {
  const waiting = new Spill();
  const lines: RefusedLine[] = [];
  const progress = { onBatch: () => undefined, onRefused: (line: RefusedLine) => void lines.push(line) };
  try {
    const report = await new NodeImport(store, waiting, batch, progress).run(numbered(texts));
    return { ...report, lines };
  } finally {
    waiting.remove();
  }
}

/** An empty store in memory, with only the well-known nodes. */
export function freshStore(t: TestContext): Store {
  const store = openMemory();
  afterwards(t, () => store.close());
  return store;
}

/** The node with this id in the usual store. */
export function nodeIn(store: Store, id: string): Promise<Node | undefined> {
  return store.read((unit) => unit.nodes.find(SPACES_STORE, id));
}

/** Every node of the store, including the well-known ones. */
export function nodesIn(store: Store): Promise<Node[]> {
  return store.read((unit) => unit.nodes.page(undefined, 1_000_000));
}
