import type { ActionDefinition } from './action-definition.ts';
import type { ContentModel } from './content-model.ts';

/**
 * Whether a definition applies to a node of this type (specification, section 8): if it names no types, or if it names the node's
 * type or one of its super-types. To a type that the model does not know, only definitions without types apply.
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

/** A sentence that says why a definition does not apply to a node of this type; undefined if it applies. */
export function whyNot(
  definition: ActionDefinition,
  nodeType: string,
  model: ContentModel,
): string | undefined {
  if (applies(definition, nodeType, model)) return undefined;
  const listed = definition.applicableTypes.join(', ');
  if (!model.has(nodeType))
    return `The content model does not know ${nodeType}, the type of the node; the definition applies to ${listed}.`;
  const unknown = definition.applicableTypes.filter((type) => !model.has(type));
  if (unknown.length === definition.applicableTypes.length)
    return `The definition applies to ${listed}, which the content model does not know.`;
  return `The node is of type ${nodeType}, which is not ${listed} and does not descend from it.`;
}
