import type { AnyOperation } from '../../operation.ts';
import { pathsOf } from '../name.ts';

/** What the index can be grouped by. */
export const GROUPINGS = ['family', 'lifecycle', 'uri'] as const;

export type Grouping = (typeof GROUPINGS)[number];

/** Operations that have something in common, and what that is. */
export interface Group {
  readonly name: string;
  readonly operations: readonly AnyOperation[];
}

const NAMES: Readonly<Record<Grouping, (operation: AnyOperation) => readonly string[]>> = {
  family: ({ family }) => [family],
  lifecycle: ({ lifecycle }) => [lifecycle],
  uri: pathsOf,
};

/** The operations in groups; one with several paths stands in the group of each. */
export function groupsOf(operations: readonly AnyOperation[], grouping: Grouping): readonly Group[] {
  const groups = new Map<string, AnyOperation[]>();
  for (const operation of operations) {
    for (const name of NAMES[grouping](operation)) groups.set(name, [...(groups.get(name) ?? []), operation]);
  }
  const list = [...groups].map(([name, members]) => ({ name, operations: members }));
  return grouping === 'uri' ? list.toSorted((one, other) => (one.name < other.name ? -1 : 1)) : list;
}
