import type { Logger } from 'pino';
import type { NodeFinder } from '../../core/gate/operation-context.ts';
import type { OperationTools } from '../../core/operation.ts';
import type { Settings } from '../../core/settings/table.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { ConstraintLookup } from './nodes/constraint-lookup.ts';
import { locate } from './nodes/locate.ts';
import { RepositoryNodes } from './nodes/repository.ts';
import { RepositoryClient } from './nodes/repository-client.ts';

interface DefinitionsParts {
  readonly settings: Settings;
  readonly log: Logger;
  readonly currentCatalogue: () => Catalogue;
  readonly onFault: (fault: unknown) => void;
}

/** The content repository that knows the nodes and the values of constraints, if one is set. */
function contentRepository({ settings, log, onFault }: DefinitionsParts): RepositoryClient | undefined {
  const { nodes: url, nodesUser: user, nodesPassword: password = '', nodesDeadline: deadline } = settings;
  if (url === '') return undefined;
  log.warn(
    { url, user },
    'nodes are asked from a content repository: every user here can learn what this account may see',
  );
  return new RepositoryClient({ url, user, password, deadline, onFault });
}

/** What operations and the gate get from this capability, as it is set. */
export function definitionsOver(parts: DefinitionsParts): {
  readonly tools: Pick<OperationTools, 'currentCatalogue' | 'constraints'>;
  readonly nodes: NodeFinder;
} {
  const { currentCatalogue } = parts;
  const repository = contentRepository(parts);
  const remote = repository && new RepositoryNodes(repository);
  return {
    tools: {
      currentCatalogue,
      constraints: new ConstraintLookup(() => currentCatalogue().constraints, repository),
    },
    nodes: { findIn: locate, findOutside: remote && ((reference) => remote.locate(reference)) },
  };
}
