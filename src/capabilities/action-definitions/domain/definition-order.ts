import type { ActionDefinition } from './action-definition.ts';
import { inLanguage } from './label.ts';

/** How a list of definitions is ordered. Texts are compared by code units, like all names. */
export interface DefinitionOrder {
  readonly by: 'name' | 'title';
  readonly descending: boolean;
}

/** Less than any title, so definitions without a title come first. */
const NONE = '';

/** Sorts definitions. Those with equal titles keep their order. `language` is the language of the titles. */
export function inOrder(
  definitions: readonly ActionDefinition[],
  { by, descending }: DefinitionOrder,
  language: string | undefined,
): readonly ActionDefinition[] {
  const keyOf = (definition: ActionDefinition) =>
    by === 'name' ? definition.name : (inLanguage(definition.title, language, definition.language) ?? NONE);
  const keyed = definitions.map((definition) => ({ key: keyOf(definition), definition }));
  const sign = descending ? -1 : 1;
  keyed.sort((one, other) => (one.key === other.key ? 0 : one.key < other.key ? -sign : sign));
  return keyed.map(({ definition }) => definition);
}
