import type { Settings } from '../../core/settings/table.ts';
import type { Capability } from '../capability.ts';
import { definitionSettings } from './settings.ts';
import { nodesTable } from './tables/nodes.ts';

export const actionDefinitions: Capability = {
  id: 'action-definitions',
  settings: definitionSettings,
  tables: [nodesTable],
  operations: async () => (await import('./operations.ts')).OPERATIONS,
  pages: async () => (await import('./pages.ts')).PAGES,
  commands: {
    nodes: async () => (await import('./commands/nodes/nodes.ts')).nodesCommand,
    definitions: async () => (await import('./commands/definitions.ts')).definitionsCommand,
  },
  documents: async () => {
    const { loadCatalogue } = await import('./catalogue/load.ts');
    const load = ({ definitions, definitionsGeneration: generation, model }: Settings) =>
      void loadCatalogue({ definitions, generation, model });
    return { definitions: load, model: load };
  },
  open: async (parts) => (await import('./assembly.ts')).openDefinitions(parts),
};
