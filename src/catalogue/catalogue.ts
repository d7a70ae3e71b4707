import { LRUCache } from 'lru-cache';
import type { ActionDefinition } from '../domain/action-definition.ts';
import { applies, whyNot } from '../domain/applicability.ts';
import type { ContentModel } from '../domain/content-model.ts';
import { languagesOf } from '../domain/label.ts';

const byName = (a: ActionDefinition, b: ActionDefinition) => (a.name < b.name ? -1 : 1);

/** Most node types to cache definitions for: nodes may have types that the model does not know. */
const MOST_TYPES = 1_000;

/** The action definitions and the content model in force. It never changes: a reload makes a new one. */
export class Catalogue {
  /** Sorted by name. */
  readonly definitions: readonly ActionDefinition[];
  readonly model: ContentModel;
  /** The language of labels that are a single text. */
  readonly language: string;
  /** Every language that some label is given in, `language` first. */
  readonly languages: readonly string[];
  /** A number that no other catalogue of this process has. */
  readonly number: number;
  readonly #applying = new LRUCache<string, readonly ActionDefinition[]>({ max: MOST_TYPES });
  static #count = 0;

  constructor(definitions: readonly ActionDefinition[], model: ContentModel, language: string) {
    this.definitions = [...definitions].sort(byName);
    this.model = model;
    this.language = language;
    const labels = definitions.flatMap(({ title, description, parameters }) => [
      title,
      description,
      ...parameters.map(({ label }) => label),
      ...parameters.flatMap(({ allowed = [] }) => allowed.map(({ label }) => label)),
    ]);
    const own = definitions.map((definition) => definition.language);
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
