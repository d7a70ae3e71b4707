import type { Capability } from '../capability.ts';
import { externalIdentitiesTable } from './tables/external-identities.ts';
import { externalIdsTable } from './tables/external-ids.ts';
import { freedNamesTable } from './tables/freed-names.ts';

export const people: Capability = {
  id: 'people',
  tables: [externalIdentitiesTable, externalIdsTable, freedNamesTable],
  operations: async () => (await import('./operations.ts')).OPERATIONS,
  pages: async (sections) => (await import('./pages.ts')).pagesWith(sections),
  commands: {
    groups: async () => (await import('./commands/groups/groups.ts')).groupsCommand,
  },
  sweep: async () => (await import('./sweep.ts')).freedNamesSweep,
};
