import type { AnyOperation } from '../../../core/operation.ts';
import { pathsOf } from '../name.ts';

/** The groupings that the index offers. */
export const GROUPINGS = ['family', 'lifecycle', 'uri'] as const;

export type Grouping = (typeof GROUPINGS)[number];

/** A group of operations, and what they have in common. */
export interface OperationGroup {
  readonly name: string;
  readonly operations: readonly AnyOperation[];
}

const NAMES: Readonly<Record<Grouping, (operation: AnyOperation) => readonly string[]>> = {
  family: ({ family }) => [family],
  lifecycle: ({ lifecycle }) => [lifecycle],
  uri: pathsOf,
};

/** The operations in groups. An operation with several paths stands in the group of each. */
export function groupsOf(operations: readonly AnyOperation[], grouping: Grouping): readonly OperationGroup[] {
  const groups = new Map<string, AnyOperation[]>();
  for (const operation of operations) {
    for (const name of NAMES[grouping](operation)) groups.set(name, [...(groups.get(name) ?? []), operation]);
  }
  const list = [...groups].map(([name, members]) => ({ name, operations: members }));
  return grouping === 'uri' ? list.toSorted((one, other) => (one.name < other.name ? -1 : 1)) : list;
}
