import { CatalogueKeeper } from '../catalogue/keeper.ts';
import { serverIdentity } from '../domain/server-identity.ts';
import type { Bookkeeping } from '../gate/bookkeeping.ts';
import { Gate } from '../gate/execute.ts';
import { systemRandom } from '../gate/tickets.ts';
import { PasswordCheck } from '../identity/password-check.ts';
import { rulesFor } from '../identity/throttle-state.ts';
import type { Verifier } from '../identity/verifier.ts';
import { RepositoryNodes } from '../nodes/repository.ts';
import { lifetimeIn } from '../settings/derived.ts';
import type { Settings } from '../settings/table.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ServiceParts } from './parts.ts';
import { throttleKeyFor } from './throttle-key.ts';

/** The one password check, as it is set. */
export function passwordCheckOver(
  { settings, store, clock, onFault }: ServiceParts,
  verifier: Verifier,
  bookkeeping: Bookkeeping,
  metrics: Metrics,
): PasswordCheck {
  return new PasswordCheck({
    store,
    verifier,
    rules: rulesFor(settings),
    throttleKey: throttleKeyFor(settings, 'service'),
    namesCaseSensitive: settings.namesCaseSensitive,
    ticketsWithoutPassword: settings.ticketsWithoutPassword,
    deadline: settings.hashDeadline,
    clock,
    onRefused: () => metrics.passwordRefused(),
    tally: (event) => bookkeeping.tally(event),
    onFault,
  });
}

/** What the service calls itself, as it is set. */
export const identityIn = ({ announcedEdition, announcedVersion }: Settings) =>
  serverIdentity({ edition: announcedEdition, version: announcedVersion });

/** The gate, as it is set. */
export function gateOver(
  parts: ServiceParts,
  bookkeeping: Bookkeeping,
  keeper: CatalogueKeeper,
  passwords: PasswordCheck,
): Gate {
  const { settings, store, operations, clock, onFault } = parts;
  const rules = {
    lifetime: lifetimeIn(settings),
    perUser: settings.ticketsPerUser,
    whenFull: settings.ticketsFull,
    clock,
    random: systemRandom,
  };
  return new Gate({
    store,
    passwords,
    rules,
    bookkeeping,
    currentCatalogue: () => keeper.current,
    operations,
    identity: identityIn(settings),
    namesCaseSensitive: settings.namesCaseSensitive,
    remoteNodes: remoteNodes(parts),
    loginByGet: settings.loginGet,
    onFault,
  });
}

/** The content repository that knows the nodes, if one is set. */
function remoteNodes({ settings, log, onFault }: ServiceParts): RepositoryNodes | undefined {
  const { nodes: url, nodesUser: user, nodesPassword: password = '', nodesDeadline: deadline } = settings;
  if (url === '') return undefined;
  log.warn(
    { url, user },
    'nodes are asked from a content repository: every user here can learn what this account may see',
  );
  return new RepositoryNodes({ url, user, password, deadline, onFault });
}

/** Keeps the catalogue; faults in its documents are told, and the last good one stays in force. */
export function catalogueKeeper({ settings, log }: ServiceParts): CatalogueKeeper {
  const { definitions, definitionsGeneration: generation, model } = settings;
  return new CatalogueKeeper(
    { definitions, generation, model },
    {
      onLoaded: (catalogue) => log.info({ definitions: catalogue.definitions.length }, 'catalogue loaded'),
      onFault: (fault) => log.error({ err: fault }, 'catalogue faulty: the last good one stays in force'),
    },
  );
}
