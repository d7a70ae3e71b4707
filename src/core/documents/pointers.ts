import type { ObjectNode, ValueNode } from '@humanwhocodes/momoa';

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
export function lineAt(root: ValueNode, pointer: string): number {
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
export function repeatedMember(node: ValueNode, pointer = ''): string | undefined {
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
