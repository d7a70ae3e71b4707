import type { Store } from '../../../core/storage/store.ts';
import type { ImportLine, TextLine } from '../../../faces/cli/lines.ts';
import type { Node } from '../domain/node.ts';
import type { Nodes } from '../tables/nodes.ts';
import { nodeInLine } from './line.ts';
import { type NotPut, putNode } from './put.ts';

/** A line that was refused, and why. */
export interface RefusedLine {
  readonly number: number;
  readonly why: string;
}

/** The counts so far. */
export interface ImportReport {
  readonly imported: number;
  readonly refused: number;
  /** Good lines in a batch with a refused line: nothing of that batch was imported. */
  readonly withheld: number;
}

/** Called while the import runs. */
interface ImportProgress {
  onBatch(): void;
  onRefused(line: RefusedLine): void;
}

/** Holds the lines whose parents come later in the file. It keeps them on disk, so that memory stays bounded. */
export interface WaitingLines {
  add(line: TextLine): void;
  readonly size: number;
  /** Removes and returns all lines that wait. */
  takeAll(): AsyncIterable<TextLine>;
}

interface ReadLine {
  readonly line: TextLine;
  readonly node: Node;
}

function readLine(line: ImportLine): ReadLine | RefusedLine {
  const { number } = line;
  if ('fault' in line) return { number, why: line.fault };
  const node = nodeInLine(line.text);
  return typeof node === 'string' ? { number, why: node } : { line, node };
}

/** A line whose node was not put, and why. */
interface Stuck extends NotPut {
  readonly read: ReadLine;
}

class BatchRefused extends Error {
  readonly refused: readonly RefusedLine[];

  constructor(refused: readonly RefusedLine[]) {
    super('batch refused');
    this.refused = refused;
  }
}

/** Imports nodes in batches. Each batch is one transaction: if one of its lines is refused, none of it is imported. */
export class NodeImport {
  readonly #store: Store;
  readonly #waiting: WaitingLines;
  readonly #batchSize: number;
  #imported = 0;
  #withheld = 0;
  readonly #progress: ImportProgress;
  #refused = 0;

  constructor(store: Store, waiting: WaitingLines, batchSize: number, progress: ImportProgress) {
    this.#store = store;
    this.#waiting = waiting;
    this.#batchSize = batchSize;
    this.#progress = progress;
  }

  get report(): ImportReport {
    return { imported: this.#imported, refused: this.#refused, withheld: this.#withheld };
  }

  /** Imports all lines, in any order. */
  async run(lines: AsyncIterable<ImportLine>): Promise<ImportReport> {
    await this.#pass(lines);
    for (let before = Number.POSITIVE_INFINITY; this.#waiting.size > 0 && this.#waiting.size < before; ) {
      before = this.#waiting.size;
      await this.#pass(this.#waiting.takeAll());
    }
    for await (const { number, text } of this.#waiting.takeAll()) {
      const { parent } = nodeInLine(text) as Node;
      this.#refuse([
        { number, why: `parent "${parent}" is missing, was refused, or lies below this node (a cycle)` },
      ]);
    }
    return this.report;
  }

  async #pass(lines: AsyncIterable<ImportLine>): Promise<void> {
    let batch: ImportLine[] = [];
    for await (const line of lines) {
      if ('fault' in line || line.text.trim() !== '') batch.push(line);
      if (batch.length < this.#batchSize) continue;
      await this.#import(batch);
      batch = [];
      this.#progress.onBatch();
    }
    await this.#import(batch);
    this.#progress.onBatch();
  }

  async #import(batch: readonly ImportLine[]): Promise<void> {
    const lines = batch.map(readLine);
    const faulty = lines.filter((line) => 'why' in line);
    if (faulty.length > 0) return this.#refuse(faulty, batch.length);
    const read = lines.filter((line) => 'node' in line);
    try {
      const early = await this.#store.write(({ nodes }) => putAll(nodes, read));
      this.#imported += batch.length - early.length;
      for (const line of early) this.#waiting.add(line);
    } catch (error) {
      if (!(error instanceof BatchRefused)) throw error;
      this.#refuse(error.refused, batch.length);
    }
  }

  /**
   * Counts these lines as refused, and the other lines of their batch as withheld. Without `batchLength` there are no
   * others.
   */
  #refuse(refused: readonly RefusedLine[], batchLength = refused.length): void {
    for (const line of refused) this.#progress.onRefused(line);
    this.#refused += refused.length;
    this.#withheld += batchLength - refused.length;
  }
}

/** Puts the nodes of one batch in an order that works. Returns the lines whose parents do not exist yet. */
async function putAll(nodes: Nodes, batch: readonly ReadLine[]): Promise<TextLine[]> {
  let left: Stuck[] = batch.map((read) => ({ read }));
  let before: number;
  do {
    before = left.length;
    left = await putInOrder(
      nodes,
      left.map(({ read }) => read),
    );
    // Tries again: a move may have ended a cycle that kept a node out.
  } while (left.length < before && left.some(({ why }) => why !== undefined));
  const refused = left.flatMap(({ read, why }) =>
    why === undefined ? [] : [{ number: read.line.number, why }],
  );
  if (refused.length > 0) throw new BatchRefused(refused.sort((one, other) => one.number - other.number));
  return left.map(({ read }) => read.line);
}

/** Puts each node after the one that it waits for. Returns the nodes that cannot be put, and why. */
async function putInOrder(nodes: Nodes, batch: readonly ReadLine[]): Promise<Stuck[]> {
  const stuckBehind = new Map<string, Stuck[]>();
  const queue = [...batch];
  // The loop adds to the queue.
  for (const read of queue) {
    const { store, id } = read.node;
    const notPut = await putNode(nodes, read.node);
    if (notPut === undefined) {
      for (const behind of stuckBehind.get(`${store} ${id}`) ?? []) queue.push(behind.read);
      stuckBehind.delete(`${store} ${id}`);
      continue;
    }
    // No node has an empty id: a line that no other node can mend stays stuck.
    const key = `${store} ${notPut.mendedBy ?? ''}`;
    const waiting = stuckBehind.get(key);
    if (waiting === undefined) stuckBehind.set(key, [{ read, ...notPut }]);
    else waiting.push({ read, ...notPut });
  }
  return [...stuckBehind.values()].flat();
}
