import type { DocumentFault } from '../documents/read-document.ts';
import { canHave } from '../domain/allowed-value.ts';
import type { Constraints } from './constraints.ts';
import type { DefinitionsDocument } from './document.ts';
import { faultsOfLabels } from './labels.ts';
import { repeatedIn } from './repeated.ts';

type Defined = DefinitionsDocument['definitions'][number];

/** A fault for each parameter of a definition whose name another has, whose label is faulty, or that could not have a value it is allowed. */
export function faultsOfParameters(
  { parameters = [] }: Defined,
  constraints: Constraints,
  faultAt: (pointer: string, fault: string) => DocumentFault,
): DocumentFault[] {
  const repeated = repeatedIn(parameters.map(({ name }) => name)).map((at) =>
    faultAt(`/parameters/${at}/name`, `"${parameters[at]?.name}" is given twice`),
  );
  const unfit = parameters.flatMap(({ type, constraint = '' }, at) => {
    const value = constraints.get(constraint)?.find((each) => !canHave(type, each.value));
    if (value === undefined) return [];
    const fault = `"${constraint}" allows ${JSON.stringify(value.value)}, which is no ${type}`;
    return [faultAt(`/parameters/${at}/constraint`, fault)];
  });
  const labels = parameters.flatMap((parameter, at) =>
    faultsOfLabels(parameter, (pointer, fault) => faultAt(`/parameters/${at}${pointer}`, fault)),
  );
  return [...repeated, ...labels, ...unfit];
}
