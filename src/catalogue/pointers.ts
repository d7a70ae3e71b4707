import type { ObjectNode, ValueNode } from '@humanwhocodes/momoa';

const nameOf = ({ name }: ObjectNode['members'][number]) => (name.type === 'String' ? name.value : name.name);

/** The node below another, by one token of a JSON pointer. */
function below(node: ValueNode, token: string): ValueNode | undefined {
  if (node.type === 'Array') return node.elements[Number(token)]?.value;
  if (node.type === 'Object') return node.members.findLast((member) => nameOf(member) === token)?.value;
  return undefined;
}

/** The line of what a JSON pointer (RFC 6901) names, or of the last thing on its way that is there. */
export function lineAt(root: ValueNode, pointer: string): number {
  let node = root;
  for (const token of pointer.split('/').slice(1)) {
    const next = below(node, token.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (next === undefined) break;
    node = next;
  }
  return node.loc.start.line;
}

/** The JSON pointer of a member that its object has twice: two readings of one document are nobody's wish. */
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

/** The places in a list, from 0, of what stands in it before. */
export function repeatedIn(list: readonly unknown[]): number[] {
  const seen = new Set();
  return [...list.keys()].filter((at) => seen.size === seen.add(list[at]).size);
}
