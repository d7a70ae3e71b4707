import type { OpenedCapability, OpeningParts } from '../capability.ts';
import { CatalogueKeeper } from './catalogue/keeper.ts';
import { ConstraintLookup } from './nodes/constraint-lookup.ts';
import { locate } from './nodes/locate.ts';
import { RepositoryNodes } from './nodes/repository.ts';
import { RepositoryClient } from './nodes/repository-client.ts';

/** The content repository that knows the nodes and the values of constraints, if one is set. */
function contentRepository({ settings, log, onFault }: OpeningParts): RepositoryClient | undefined {
  const { nodes: url, nodesUser: user, nodesPassword: password = '', nodesDeadline: deadline } = settings;
  if (url === '') return undefined;
  log.warn(
    { url, user },
    'nodes are asked from a content repository: every user here can learn what this account may see',
  );
  return new RepositoryClient({ url, user, password, deadline, onFault });
}

function catalogueKeeper({ settings, log }: OpeningParts): CatalogueKeeper {
  const { definitions, definitionsGeneration: generation, model } = settings;
  return new CatalogueKeeper(
    { definitions, generation, model },
    {
      onLoaded: (catalogue) => log.info({ definitions: catalogue.definitions.length }, 'catalogue loaded'),
      onFault: (fault) => log.error({ err: fault }, 'catalogue faulty: the last good one stays in force'),
    },
  );
}

/** Loads the definitions, and has calls find their nodes. A fault of the documents at the start is thrown (`DocumentsFaulty`). */
export async function openDefinitions(parts: OpeningParts): Promise<OpenedCapability> {
  const catalogue = catalogueKeeper(parts);
  const repository = contentRepository(parts);
  const remote = repository && new RepositoryNodes(repository);
  return {
    operationTools: {
      currentCatalogue: () => catalogue.current,
      constraints: new ConstraintLookup(() => catalogue.current.constraints, repository),
    },
    nodes: { findIn: locate, findOutside: remote && ((reference) => remote.locate(reference)) },
    counts: () => ({ actionDefinitions: catalogue.current.definitions.length }),
    reload: () => catalogue.reload(),
    stop: () => catalogue.close(),
  };
}
