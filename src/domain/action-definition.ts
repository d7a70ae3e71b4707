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
}

/** The languages in which a label is given. */
export function languagesOf(label: Label | undefined): readonly string[] {
  return typeof label === 'object' ? Object.keys(label) : [];
}

/** The label in a language, or in the first one that it is given in. */
export function inLanguage(label: Label | undefined, language: string | undefined): string | undefined {
  if (typeof label !== 'object') return label;
  return (language === undefined ? undefined : label[language]) ?? Object.values(label)[0];
}
