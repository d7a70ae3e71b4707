import { readFileSync } from 'node:fs';
import { evaluate, type ObjectNode, parse, type ValueNode } from '@humanwhocodes/momoa';
import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { visible } from '../visible.ts';

const nameOf = ({ name }: ObjectNode['members'][number]) => (name.type === 'String' ? name.value : name.name);

/** The child of a node that one token of a JSON pointer names. */
function below(node: ValueNode, token: string): ValueNode | undefined {
  if (node.type === 'Array') return node.elements[Number(token)]?.value;
  if (node.type === 'Object') return node.members.findLast((member) => nameOf(member) === token)?.value;
  return undefined;
}

/** The tokens of a JSON pointer (RFC 6901): names and indexes. */
function tokensOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * The line of the value that a JSON pointer (RFC 6901) names. If it does not exist, the line of its closest ancestor.
 */
function lineAt(root: ValueNode, pointer: string): number {
  let node = root;
  for (const token of tokensOf(pointer)) {
    const next = below(node, token);
    if (next === undefined) break;
    node = next;
  }
  return node.loc.start.line;
}

/**
 * The JSON pointer of a member that an object has twice, which readers of JSON treat in different ways. Undefined if
 * there is none.
 */
function repeatedMember(node: ValueNode, pointer = ''): string | undefined {
  if (node.type === 'Array') {
    for (const [index, element] of node.elements.entries()) {
      const found = repeatedMember(element.value, `${pointer}/${index}`);
      if (found !== undefined) return found;
    }
  }
  if (node.type !== 'Object') return undefined;
  const names = new Set<string>();
  for (const member of node.members) {
    const here = `${pointer}/${nameOf(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (names.has(nameOf(member))) return here;
    names.add(nameOf(member));
    const found = repeatedMember(member.value, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A fault in a document, and its place. */
export interface DocumentFault {
  readonly file: string;
  /** From 1. Undefined if the file cannot be read at all. */
  readonly line?: number;
  /** A JSON pointer (RFC 6901). */
  readonly pointer?: string;
  readonly fault: string;
}

/** A document, and a function that gives a fault its place. */
export interface ReadDocument<T> {
  readonly file: string;
  readonly value: T;
  /** The fault at a JSON pointer of this document. */
  readonly faultAt: (pointer: string, fault: string) => DocumentFault;
}

/** All faults of one or several documents. */
export class DocumentsFaulty extends Error {
  override name = 'DocumentsFaulty';
  readonly faults: readonly DocumentFault[];

  constructor(faults: readonly DocumentFault[]) {
    super(faults.map(faultText).join('\n'));
    this.faults = faults;
  }
}

/** A fault as one line of text: `file:line pointer: what is wrong`. */
function faultText({ file, line, pointer, fault }: DocumentFault): string {
  return visible(`${file}${line === undefined ? '' : `:${line}`}${pointer ? ` ${pointer}` : ''}: ${fault}`);
}

/** Most faults to report of one document. */
const MOST_FAULTS = 1_000;

/** Refuses bytes that are not UTF-8, and drops a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new DocumentsFaulty([{ file, fault: `cannot be read: ${(error as Error).message}` }]);
  }
}

function textOf(file: string, bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new DocumentsFaulty([{ file, fault: 'is not UTF-8: save it in that encoding' }]);
  }
}

function parseText(file: string, text: string) {
  try {
    return parse(text, { mode: 'json' });
  } catch (error) {
    const { message, ...place } = error as Error & { line?: number };
    // If the text ends too soon, the parser names its beginning.
    const isCut = message.startsWith('Unexpected end');
    const line = isCut ? text.trimEnd().split('\n').length : place.line;
    const why = isCut ? 'it ends too soon: close what is open' : message;
    throw new DocumentsFaulty([
      { file, ...(line === undefined ? {} : { line }), fault: `is not JSON: ${why}` },
    ]);
  }
}

/** Every fault: by default the validator stops early. Leaves out errors that only repeat another one. */
function errorsOf(validator: Validator, value: unknown) {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: MOST_FAULTS });
  try {
    const [, errors] = validator.Errors(value);
    const told = errors.filter(({ keyword }) => keyword !== 'additionalProperties' && keyword !== 'anyOf');
    return told.length > 0 ? told : errors;
  } finally {
    Settings.Set({ maxErrors });
  }
}

/** What an object may have, by the path in the schema of the rule that refuses another member. */
function noMember(schema: TSchema, rule: string): string {
  const object = tokensOf(rule)
    .slice(0, -1)
    .reduce<unknown>((node, token) => (node as Readonly<Record<string, unknown>>)?.[token], schema);
  const { properties = {} } = (object ?? {}) as { readonly properties?: object };
  return `is no member of this object, which may have ${Object.keys(properties).join(', ')}`;
}

/** Reads a JSON document and checks it against a schema. Throws {@link DocumentsFaulty} with every fault in it. */
export function readDocument<S extends TSchema>(file: string, schema: S): ReadDocument<Static<S>> {
  return documentOf(file, bytesOf(file), schema);
}

/** Like {@link readDocument}, of bytes that are read already. `file` names them in faults. */
export function documentOf<S extends TSchema>(
  file: string,
  bytes: Buffer,
  schema: S,
): ReadDocument<Static<S>> {
  const tree = parseText(file, textOf(file, bytes));
  const faultAt = (pointer: string, fault: string): DocumentFault => ({
    file,
    line: lineAt(tree.body, pointer),
    pointer,
    fault,
  });
  const repeated = repeatedMember(tree.body);
  if (repeated !== undefined) throw new DocumentsFaulty([faultAt(repeated, 'is given twice')]);
  const value = evaluate(tree);
  const validator = Compile(schema);
  if (!validator.Check(value)) {
    throw new DocumentsFaulty(
      errorsOf(validator, value).map(({ instancePath, schemaPath, keyword, message }) =>
        faultAt(instancePath, keyword === 'boolean' ? noMember(schema, schemaPath) : message),
      ),
    );
  }
  return { file, value, faultAt };
}
