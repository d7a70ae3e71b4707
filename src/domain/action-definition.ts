import type { AllowedValue } from './allowed-value.ts';

/** A text that people read: one for all, or one for each language (BCP 47 tag). */
export type Label = string | Readonly<Record<string, string>>;

/** A parameter of an action, as `wire.md` section 8 shows it. */
export interface ParameterDefinition {
  readonly name: string;
  readonly label?: Label | undefined;
  /** In prefix form, such as `d:text`. */
  readonly type: string;
  readonly multiValued: boolean;
  readonly mandatory: boolean;
  /** The name of the constraint that lists its allowed values. */
  readonly constraint?: string | undefined;
  /** Those values, where the catalogue knows them. */
  readonly allowed?: readonly AllowedValue[] | undefined;
}

/** An action that can be run, and to which nodes it applies. */
export interface ActionDefinition {
  readonly name: string;
  readonly title?: Label | undefined;
  readonly description?: Label | undefined;
  readonly adHocPropertiesAllowed: boolean;
  /** Types in prefix form, such as `cm:content`; empty: every type. */
  readonly applicableTypes: readonly string[];
  readonly parameters: readonly ParameterDefinition[];
  /** The language of its labels that are given as one text; others fall back on it. */
  readonly language: string;
}

/** The languages in which a label is given. */
export function languagesOf(label: Label | undefined): readonly string[] {
  return typeof label === 'object' ? Object.keys(label) : [];
}

/** A language and those that it belongs to, the narrowest first (RFC 4647 section 3.4): `de-AT`, `de`. */
export const widened = (language: string) =>
  language.split('-').map((_, index, tags) => tags.slice(0, tags.length - index).join('-'));

/** The label in the first of these languages that it is given in, or in any. */
export function inLanguage(
  label: Label | undefined,
  ...languages: readonly (string | undefined)[]
): string | undefined {
  if (typeof label !== 'object') return label;
  const wanted = languages.flatMap((language) => (language === undefined ? [] : widened(language)));
  const given = wanted.find((language) => Object.hasOwn(label, language));
  return given === undefined ? Object.values(label)[0] : label[given];
}
