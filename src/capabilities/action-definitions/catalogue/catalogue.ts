import { LRUCache } from 'lru-cache';
import type { ActionDefinition, ConditionDefinition } from '../domain/action-definition.ts';
import { applies, whyNot } from '../domain/applicability.ts';
import type { ContentModel } from '../domain/content-model.ts';
import { languagesOf } from '../domain/label.ts';
import type { ParameterConstraint } from '../domain/parameter-constraint.ts';

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);

/** Most node types to cache definitions for: nodes may have types that the model does not know. */
const MOST_TYPES = 1_000;

/** The parts of a catalogue. */
interface CatalogueParts {
  readonly definitions: readonly ActionDefinition[];
  readonly conditions: readonly ConditionDefinition[];
  /** The constraints that documents define, by name. */
  readonly constraints: ReadonlyMap<string, ParameterConstraint>;
  readonly model: ContentModel;
  readonly language: string;
}

/** Every label of an action or a condition. */
const labelsOf = ({ title, description, parameters }: ConditionDefinition) => [
  title,
  description,
  ...parameters.map(({ label }) => label),
];

declare module '../../../core/operation.ts' {
  interface OperationTools {
    /** Returns the action definitions and the content model in force. */
    currentCatalogue(): Catalogue;
  }
}

/**
 * The action definitions, what rule editors offer besides, and the content model in force. It never changes: a reload
 * makes a new one.
 */
export class Catalogue {
  /** Sorted by name. */
  readonly definitions: readonly ActionDefinition[];
  /** Sorted by name. */
  readonly conditions: readonly ConditionDefinition[];
  /** Every constraint that it defines or that a parameter names, by name and sorted by it. */
  readonly constraints: ReadonlyMap<string, ParameterConstraint>;
  readonly model: ContentModel;
  /** The language of labels that are a single text. */
  readonly language: string;
  /** Every language that some label is given in, `language` first. */
  readonly languages: readonly string[];
  /** A number that no other catalogue of this process has. */
  readonly number: number;
  readonly #applying = new LRUCache<string, readonly ActionDefinition[]>({ max: MOST_TYPES });
  static #count = 0;

  constructor({ definitions, conditions, constraints, model, language }: CatalogueParts) {
    this.definitions = [...definitions].sort(byName);
    this.conditions = [...conditions].sort(byName);
    this.model = model;
    this.language = language;
    const all = [...definitions, ...conditions];
    const named = all.flatMap(({ parameters }) => parameters.flatMap(({ constraint = [] }) => constraint));
    const defined = [...constraints.values()];
    const byNameAlone = named.filter((name) => !constraints.has(name)).map((name) => ({ name, values: [] }));
    this.constraints = new Map([...defined, ...byNameAlone].sort(byName).map((each) => [each.name, each]));
    const values = defined.flatMap((constraint) => constraint.values);
    const labels = [...all.flatMap(labelsOf), ...values.map(({ label }) => label)];
    const own = [...all, ...defined].map((each) => each.language ?? language);
    this.languages = [...new Set([language, ...own, ...labels.flatMap(languagesOf)])];
    Catalogue.#count += 1;
    this.number = Catalogue.#count;
  }

  /** The definition of this name. */
  find(name: string): ActionDefinition | undefined {
    return this.definitions.find((definition) => definition.name === name);
  }

  /** The reasons why definitions do not apply to nodes of this type, by the name of the definition. */
  notApplyingTo(nodeType: string): ReadonlyMap<string, string> {
    const reasons = this.definitions.map(
      (definition) => [definition.name, whyNot(definition, nodeType, this.model)] as const,
    );
    return new Map(reasons.filter((each): each is [string, string] => each[1] !== undefined));
  }

  /** The definitions that apply to nodes of this type. */
  applyingTo(nodeType: string): readonly ActionDefinition[] {
    let applying = this.#applying.get(nodeType);
    if (applying === undefined) {
      applying = this.definitions.filter((definition) => applies(definition, nodeType, this.model));
      this.#applying.set(nodeType, applying);
    }
    return applying;
  }
}
