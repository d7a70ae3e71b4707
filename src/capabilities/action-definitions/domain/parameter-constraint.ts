import type { Refusal } from '../../../core/domain/refusal.ts';
import type { AllowedValue } from './allowed-value.ts';

/** A constraint on parameters (specification, section 15): the values that it allows, by a name. */
export interface ParameterConstraint {
  readonly name: string;
  /** Empty if the values are not known. */
  readonly values: readonly AllowedValue[];
  /** The language of labels that are one text, if it is known. */
  readonly language?: string | undefined;
}

declare module '../../../core/operation.ts' {
  interface OperationTools {
    readonly constraints: ConstraintSource;
  }
}

/** Finds constraints in the catalogue, and otherwise in the content repository, if one is set. */
export interface ConstraintSource {
  /** The constraint of this name. Undefined if the name is unknown. */
  find(name: string): Promise<ParameterConstraint | undefined | Refusal<'nodes_unavailable'>>;
  /** Every constraint, sorted by name. */
  all(): Promise<readonly ParameterConstraint[] | Refusal<'nodes_unavailable'>>;
}
