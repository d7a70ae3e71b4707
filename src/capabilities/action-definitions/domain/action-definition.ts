import type { AllowedValue } from './allowed-value.ts';
import type { Label } from './label.ts';

/** A parameter of an action (specification, section 8). */
export interface ParameterDefinition {
  readonly name: string;
  readonly label?: Label | undefined;
  /** In prefix form, such as `d:text`. */
  readonly type: string;
  readonly multiValued: boolean;
  readonly mandatory: boolean;
  /** The name of the constraint that lists its allowed values. */
  readonly constraint?: string | undefined;
  /** The allowed values, if the catalogue knows them. */
  readonly allowed?: readonly AllowedValue[] | undefined;
}

/** A condition of a rule (specification, section 15). */
export interface ConditionDefinition {
  readonly name: string;
  readonly title?: Label | undefined;
  readonly description?: Label | undefined;
  readonly adHocPropertiesAllowed: boolean;
  readonly parameters: readonly ParameterDefinition[];
  /** The language of labels that are one text. Labels in several languages fall back on it. */
  readonly language: string;
}

/** An action that can be run, and the types of nodes that it applies to. */
export interface ActionDefinition extends ConditionDefinition {
  /** Types in prefix form, such as `cm:content`; empty: every type. */
  readonly applicableTypes: readonly string[];
}
