import { Compile } from 'typebox/schema';
import { Type } from '../../../core/schema.ts';
import type { Store } from '../../../core/storage/store.ts';
import { MemberTwice, strictJson } from '../../../core/strict-json.ts';
import type { ImportLine, TextLine } from '../../../faces/cli/lines.ts';
import { LONGEST_NODE_NAME, type Node, nodeName } from '../domain/node.ts';
import type { Nodes } from '../tables/nodes.ts';

/** Why a node was not put. */
interface NotPut {
  /** What is wrong. Undefined if only the parent is missing, which may still come. */
  readonly why?: string;
  /** The id of the node that makes this put possible: the parent, or the node that has the name. */
  readonly mendedBy?: string;
}

/** Whether this parent would make a cycle. */
async function liesInItself(nodes: Nodes, { store, id, parent }: Node): Promise<boolean> {
  for (let above = parent; above !== undefined; above = (await nodes.find(store, above))?.parent) {
    if (above === id) return true;
  }
  return false;
}

/** Adds or moves a node. Returns why it could not, and then changes nothing. `nodes` has to be of a write unit. */
export async function putNode(nodes: Nodes, node: Node): Promise<NotPut | undefined> {
  const { store, id, name, parent } = node;
  const old = await nodes.find(store, id);
  if (parent === undefined) {
    const root = await nodes.root(store);
    if (root !== undefined && root.id !== id)
      return { why: `${store} has a root already, "${root.id}": give the node a parent` };
    if (old?.parent !== undefined)
      return { why: `"${id}" lies in "${old.parent}": a root cannot be made of it` };
  } else {
    if ((await nodes.find(store, parent)) === undefined) return { mendedBy: parent };
    const namesake = await nodes.child(store, parent, name);
    if (namesake !== undefined && namesake.id !== id)
      return {
        why: `"${parent}" has a node called "${name}" already, "${namesake.id}"`,
        mendedBy: namesake.id,
      };
    if (old !== undefined && old.parent === undefined)
      return { why: `"${id}" is the root of ${store} and cannot be moved` };
    if (old !== undefined && old.parent !== parent && (await liesInItself(nodes, node)))
      return { why: `"${id}" would lie in itself`, mendedBy: parent };
  }
  await nodes.put(node);
  return undefined;
}

/** Most bytes (UTF-8) of each member. The index of every engine can hold a parent and a name of this length. */
const MOST_BYTES = LONGEST_NODE_NAME;

/** An id. Unpaired surrogates are refused: all are stored as the same character, so two ids could become one. */
const ID = '^(?!\\s)[^\\p{Cc}\\p{Cs}]+(?<!\\s)$';

const text = (description: string, pattern: string) => Type.String({ description, pattern });

/** One line of an import: an object with these members. */
const NodeLine = Type.Object(
  {
    store: text('such as workspace://SpacesStore', '^[^\\s:/\\p{Cc}\\p{Cs}]+://[^\\s/\\p{Cc}\\p{Cs}]+$'),
    id: text('one or more characters, none a control character', ID),
    type: text('a type in prefix form, such as cm:folder', '^[A-Za-z][\\w-]*:[\\w-]+$'),
    name: text('one or more characters', '^[^\\u0000-\\u001f\\p{Cs}]+$'),
    parent: Type.Optional(text('the id of the node that it lies in', ID)),
  },
  { additionalProperties: false },
);

const validator = Compile(NodeLine);
const MEMBERS = NodeLine.properties as Readonly<Record<string, { readonly description?: string }>>;

/** The name, if it is safe to print. Another one could hold control codes for the terminal. */
const quoted = (name: string) => (/^[\w:.-]{1,64}$/.test(name) ? `"${name}" ` : '');

function faultOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'holds no JSON object';
  const unknown = Object.keys(value).find((member) => !Object.hasOwn(MEMBERS, member));
  if (unknown !== undefined) return `has a member ${quoted(unknown)}that nodes do not have`;
  for (const [member, { description }] of Object.entries(MEMBERS)) {
    if (member !== 'parent' && !(member in value)) return `has no "${member}": ${description}`;
  }
  const [, [fault]] = validator.Errors(value);
  const member = fault?.instancePath.slice(1) ?? '';
  return `"${member}" is not of the form: ${MEMBERS[member]?.description ?? fault?.message}`;
}

/** The node in a line of an import, or what is wrong with the line. A `null` parent counts as none. */
export function nodeInLine(line: string): Node | string {
  let value: unknown;
  try {
    value = strictJson(line, (key, member) => (key === 'parent' && member === null ? undefined : member));
  } catch (fault) {
    return fault instanceof MemberTwice ? 'has a member twice, with different values' : 'is not JSON';
  }
  if (!validator.Check(value)) return faultOf(value);
  const node = { ...value, name: nodeName(value.name) };
  const tooLong = Object.entries(node).find(([, member]) => Buffer.byteLength(member) > MOST_BYTES);
  return tooLong === undefined ? node : `"${tooLong[0]}" is longer than 1,024 bytes in UTF-8`;
}

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
