import type { AllowedValue } from '../domain/allowed-value.ts';
import { canHave } from '../domain/allowed-value.ts';
import type { DefinitionsDocument } from './document.ts';
import type { DocumentFault, ReadDocument } from './read-document.ts';

/** The values of each constraint, by its name. */
export type Constraints = ReadonlyMap<string, readonly AllowedValue[]>;

/** The constraints in these documents, which parameters of all of them may name. Two of one name are a fault. */
export function constraintsIn(documents: readonly ReadDocument[], faults: DocumentFault[]): Constraints {
  const constraints = new Map<string, readonly AllowedValue[]>();
  for (const { value, faultAt } of documents) {
    for (const [index, { name, values }] of ((value as DefinitionsDocument).constraints ?? []).entries()) {
      if (constraints.has(name))
        faults.push(faultAt(`/constraints/${index}/name`, `"${name}" is defined twice`));
      const allowed = values.map((each) => (typeof each === 'object' ? each : { value: each }));
      constraints.set(name, allowed);
    }
  }
  return constraints;
}

type Defined = DefinitionsDocument['definitions'][number];

/** A fault for each parameter of a definition that could have none of a value that its constraint allows. */
export function faultsOfValues(
  { parameters = [] }: Defined,
  constraints: Constraints,
  faultAt: (pointer: string, fault: string) => DocumentFault,
): DocumentFault[] {
  return parameters.flatMap(({ type, constraint = '' }, index) => {
    const unfit = constraints.get(constraint)?.find(({ value }) => !canHave(type, value));
    if (unfit === undefined) return [];
    const fault = `"${constraint}" allows ${JSON.stringify(unfit.value)}, which is no ${type}`;
    return [faultAt(`/parameters/${index}/constraint`, fault)];
  });
}
