import type { Node } from '../domain/node.ts';
import type { Nodes, Store } from '../storage/store.ts';
import { nodeInLine } from './line.ts';
import { type ParentMissing, putNode } from './put.ts';

/** A line of the file, with its number from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** A line that was refused, and why. */
export interface RefusedLine {
  readonly number: number;
  readonly why: string;
}

/** What became of the lines so far. */
export interface ImportReport {
  readonly imported: number;
  readonly refused: number;
  /** Lines that were fine but shared a batch with a refused one, so that nothing of it was imported. */
  readonly withheld: number;
}

/** Told of the import while it goes on. */
export interface ImportProgress {
  onBatch(): void;
  onRefused(line: RefusedLine): void;
}

/** Where lines wait whose parents come later in the file: on disk, so that memory stays bounded. */
export interface Waiting {
  add(line: Line): void;
  readonly size: number;
  /** The lines that wait, which no longer do. */
  takeAll(): AsyncIterable<Line>;
}

interface Read {
  readonly line: Line;
  readonly node: Node;
}

class BatchRefused extends Error {
  readonly refused: readonly RefusedLine[];

  constructor(refused: readonly RefusedLine[]) {
    super('batch refused');
    this.refused = refused;
  }
}

/** Imports nodes batch by batch, each in one transaction: all of it or, when a line of it is refused, nothing. */
export class NodeImport {
  readonly #store: Store;
  readonly #waiting: Waiting;
  readonly #batchSize: number;
  #imported = 0;
  #withheld = 0;
  readonly #progress: ImportProgress;
  #refused = 0;

  constructor(store: Store, waiting: Waiting, batchSize: number, progress: ImportProgress) {
    this.#store = store;
    this.#waiting = waiting;
    this.#batchSize = batchSize;
    this.#progress = progress;
  }

  get report(): ImportReport {
    return { imported: this.#imported, refused: this.#refused, withheld: this.#withheld };
  }

  /** Imports all lines, in whatever order they come. */
  async run(lines: AsyncIterable<Line>): Promise<ImportReport> {
    await this.#pass(lines);
    for (let before = Number.POSITIVE_INFINITY; this.#waiting.size > 0 && this.#waiting.size < before; ) {
      before = this.#waiting.size;
      await this.#pass(this.#waiting.takeAll());
    }
    for await (const { number, text } of this.#waiting.takeAll()) {
      const { parent } = nodeInLine(text) as Node;
      this.#refuse(
        [],
        [{ number, why: `parent "${parent}" is missing, was refused, or lies below this node (a cycle)` }],
      );
    }
    return this.report;
  }

  async #pass(lines: AsyncIterable<Line>): Promise<void> {
    let batch: Line[] = [];
    for await (const line of lines) {
      if (line.text.trim() !== '') batch.push(line);
      if (batch.length < this.#batchSize) continue;
      await this.#import(batch);
      batch = [];
      this.#progress.onBatch();
    }
    await this.#import(batch);
    this.#progress.onBatch();
  }

  async #import(batch: readonly Line[]): Promise<void> {
    const read = batch.map((line) => ({ line, node: nodeInLine(line.text) }));
    const faulty = read.flatMap(({ line, node }) =>
      typeof node === 'string' ? [{ number: line.number, why: node }] : [],
    );
    if (faulty.length > 0) return this.#refuse(batch, faulty);
    try {
      const early = await this.#store.write(({ nodes }) => putAll(nodes, read as Read[]));
      this.#imported += batch.length - early.length;
      for (const line of early) this.#waiting.add(line);
    } catch (error) {
      if (!(error instanceof BatchRefused)) throw error;
      this.#refuse(batch, error.refused);
    }
  }

  #refuse(batch: readonly Line[], refused: readonly RefusedLine[]): void {
    for (const line of refused) this.#progress.onRefused(line);
    this.#refused += refused.length;
    this.#withheld += Math.max(0, batch.length - refused.length);
  }
}

/** Puts the nodes of one batch in whatever order their parents allow; gives the lines whose parents are not there yet. */
async function putAll(nodes: Nodes, batch: readonly Read[]): Promise<Line[]> {
  const refused: RefusedLine[] = [];
  const belowMissing = new Map<string, Read[]>();
  const queue = [...batch];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { node, line } = next;
    const fault: string | ParentMissing | undefined = await putNode(nodes, node);
    if (typeof fault === 'string') refused.push({ number: line.number, why: fault });
    else if (fault !== undefined) {
      const key = `${node.store} ${fault.parentMissing}`;
      const waiting = belowMissing.get(key);
      if (waiting === undefined) belowMissing.set(key, [next]);
      else waiting.push(next);
    } else {
      const key = `${node.store} ${node.id}`;
      queue.push(...(belowMissing.get(key) ?? []));
      belowMissing.delete(key);
    }
  }
  if (refused.length > 0) throw new BatchRefused(refused);
  return [...belowMissing.values()].flat().map(({ line }) => line);
}
