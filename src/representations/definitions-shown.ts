import type { ActionDefinition } from '../domain/action-definition.ts';

/** Definitions with what their showing depends on: where the caller came in, and the language. */
export interface DefinitionsShown {
  readonly definitions: readonly ActionDefinition[];
  /** The base path that the caller used. */
  readonly basePath: string;
  readonly language: string | undefined;
  /** Where it is asked for: the names of those that do not apply to the node, with the reason. */
  readonly notApplying?: ReadonlyMap<string, string>;
}

/** One definition, likewise. */
export interface DefinitionShown extends Omit<DefinitionsShown, 'definitions'> {
  readonly definition: ActionDefinition;
}
