import type { ActionDefinition } from './action-definition.ts';
import { inLanguage } from './label.ts';

/** By what definitions are ordered. Texts are compared by their code units, as names are everywhere. */
export interface DefinitionOrder {
  readonly by: 'name' | 'title';
  readonly descending: boolean;
}

/** Smaller than any text: what has no title comes before what has one. */
const NONE = '';

/** The definitions in this order; those with one title keep theirs. `language` is that of the titles. */
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
