import type { DocumentFault, ReadDocument } from '../documents/read-document.ts';
import type { AllowedValue } from '../domain/allowed-value.ts';
import type { DefinitionsDocument } from './document.ts';
import { faultsOfLabels, withTags } from './labels.ts';
import { repeatedIn } from './repeated.ts';

/** The values of each constraint, by its name. */
export type Constraints = ReadonlyMap<string, readonly AllowedValue[]>;

/**
 * The constraints in these documents; parameters of every document may name them. Adds a fault for a name that is
 * defined twice, a value that is allowed twice, and a faulty label.
 */
export function constraintsIn(
  documents: readonly ReadDocument<DefinitionsDocument>[],
  faults: DocumentFault[],
): Constraints {
  const constraints = new Map<string, readonly AllowedValue[]>();
  for (const { value, faultAt } of documents) {
    for (const [index, { name, values }] of (value.constraints ?? []).entries()) {
      const fault = (pointer: string, why: string) =>
        faults.push(faultAt(`/constraints/${index}${pointer}`, `"${name}" ${why}`));
      if (constraints.has(name)) fault('/name', 'is defined twice');
      const allowed = values.map((each) => (typeof each === 'object' ? withTags(each) : { value: each }));
      for (const at of repeatedIn(allowed.map((each) => each.value)))
        fault(`/values/${at}`, `allows ${JSON.stringify(allowed[at]?.value)} twice`);
      for (const [at, each] of values.entries()) {
        if (typeof each !== 'object') continue;
        const place = `/constraints/${index}/values/${at}`;
        faults.push(...faultsOfLabels(each, (pointer, why) => faultAt(place + pointer, why)));
      }
      constraints.set(name, allowed);
    }
  }
  return constraints;
}
