import type { ActionDefinition } from './action-definition.ts';
import type { ContentModel } from './content-model.ts';

/**
 * Whether a definition applies to a node of this type (`wire.md` section 8): when it names no type, or the node's
 * type or one of its super-types. A type that the model does not know matches nothing but the empty list.
 */
export function applies(
  { applicableTypes }: ActionDefinition,
  nodeType: string,
  model: ContentModel,
): boolean {
  if (applicableTypes.length === 0) return true;
  const line = model.get(nodeType);
  return line !== undefined && applicableTypes.some((type) => line.has(type));
}
