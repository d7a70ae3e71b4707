import { Compile } from 'typebox/schema';
import { Type } from '../../../core/schema.ts';
import { MemberTwice, strictJson } from '../../../core/strict-json.ts';
import { LONGEST_NODE_NAME, type Node, nodeName } from '../domain/node.ts';

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
