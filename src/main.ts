import type { Logger } from 'pino';
import { CatalogueKeeper } from './catalogue/keeper.ts';
import { type Announcement, makeFirstAdministrator } from './first-start.ts';
import { Bookkeeping } from './gate/bookkeeping.ts';
import { Gate } from './gate/execute.ts';
import { systemChance } from './gate/tools.ts';
import { ClientAddresses } from './http/client-address.ts';
import { listen, started } from './http/listen.ts';
import { buildMetricsServer } from './http/metrics-server.ts';
import { routes } from './http/routes.ts';
import { buildServer } from './http/server.ts';
import { hashPoolFor } from './identity/hash-pool.ts';
import { localVerifier } from './identity/local.ts';
import { PasswordCheck } from './identity/password-check.ts';
import { rulesFor } from './identity/standing.ts';
import { readThrottleKey, throttleKeyFile } from './identity/throttle-key.ts';
import { RepositoryNodes } from './nodes/repository.ts';
import { operations } from './operations/all.ts';
import type { Settings } from './settings/table.ts';
import { openSqlite } from './storage/sqlite/open.ts';
import type { Store } from './storage/store.ts';
import { Sweeper } from './storage/sweep.ts';
import { openLog } from './telemetry/log.ts';
import { Metrics } from './telemetry/metrics.ts';
import { observer, requestIds } from './telemetry/observer.ts';

/** A running service. */
export interface Service {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly metricsUrl: string | undefined;
  /** What was done about the first administrator, if anything. */
  readonly announcement: Announcement | undefined;
  /** No new connections, requests in flight finish, what is gathered is written, the store is closed. */
  stop(): Promise<void>;
  /** Loads the action definitions and the content model again. */
  reload(): void;
}

/** What a service is started with beside its settings. */
export interface Surroundings {
  /** Whether a person reads what is printed, so that a password may be shown. */
  readonly onTerminal: boolean;
  readonly store?: Store;
  readonly log?: Logger;
  /** Epoch milliseconds. */
  readonly clock?: () => number;
}

type Parts = Required<Surroundings> & {
  readonly settings: Settings;
  readonly onFault: (fault: unknown, requestId?: string) => void;
};

/** Start here: settings → store → identity → listen → stop. Throws an error with a sentence for the operator. */
export async function startService(settings: Settings, surroundings: Surroundings): Promise<Service> {
  const log = surroundings.log ?? openLog(settings.logLevel);
  const store = surroundings.store ?? openSqlite(settings.data);
  const onFault: Parts['onFault'] = (fault, id) => log.error({ err: fault, id }, 'fault');
  try {
    return await startOn({ clock: Date.now, ...surroundings, settings, store, log, onFault });
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function startOn(parts: Parts): Promise<Service> {
  const { settings, store, clock, log, onFault } = parts;
  const cost = { memory: settings.hashMemory, passes: settings.hashPasses, lanes: settings.hashLanes };
  const announcement = await makeFirstAdministrator(store, settings, cost, parts.onTerminal);
  const lifetime = { idle: settings.ticketIdle, age: settings.ticketAge };
  const bookkeeping = new Bookkeeping(store, lifetime, onFault);
  const pool = hashPoolFor(settings.hashDeadline);
  const verifier = await localVerifier(pool, cost);
  const catalogue = catalogueKeeper(parts);
  const gate = gateOver(parts, bookkeeping, catalogue, passwordCheckOver(parts, verifier, bookkeeping));
  const sweeper = new Sweeper({ store, lifetime, eventsKeep: settings.eventsKeep, clock, onFault });
  const metrics = new Metrics({
    liveTickets: async () => sweeper.liveTickets,
    hashesWaiting: () => pool.waiting,
  });
  const servers = await listenOn(parts, gate, metrics);
  sweeper.start();
  log.info({ url: servers.url, metricsUrl: servers.metricsUrl }, 'listening');
  const stop = async () => {
    await servers.stop();
    catalogue.close();
    await sweeper.stop();
    await bookkeeping.flush();
    await store.close();
    log.info('stopped');
  };
  let stopped: Promise<void> | undefined;
  const { url, metricsUrl } = servers;
  return {
    url,
    metricsUrl,
    announcement,
    reload: () => catalogue.reload(),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

function passwordCheckOver(
  { settings, store, clock }: Parts,
  verifier: Awaited<ReturnType<typeof localVerifier>>,
  bookkeeping: Bookkeeping,
): PasswordCheck {
  return new PasswordCheck({
    store,
    verifier,
    rules: rulesFor(settings.throttleAfter, settings.lockoutThreshold, settings.lockoutDuration),
    throttleKey: readThrottleKey(throttleKeyFile(settings)),
    caseSensitiveNames: settings.namesCaseSensitive,
    deadline: settings.hashDeadline,
    clock,
    tally: (event) => bookkeeping.tally(event),
  });
}

function gateOver(
  parts: Parts,
  bookkeeping: Bookkeeping,
  keeper: CatalogueKeeper,
  passwords: PasswordCheck,
): Gate {
  const { settings, store, clock, onFault } = parts;
  const rules = {
    lifetime: { idle: settings.ticketIdle, age: settings.ticketAge },
    perUser: settings.ticketsPerUser,
    whenFull: settings.ticketsFull,
    clock,
    random: systemChance,
  };
  return new Gate({
    store,
    passwords,
    rules,
    bookkeeping,
    catalogue: () => keeper.current,
    remoteNodes: remoteNodes(parts),
    loginByGet: settings.loginGet,
    onFault,
  });
}

/** The content repository that knows the nodes, if one is set. */
function remoteNodes({ settings, log, onFault }: Parts): RepositoryNodes | undefined {
  const { nodes: url, nodesUser: user, nodesPassword: password = '', nodesDeadline: deadline } = settings;
  if (url === '') return undefined;
  log.warn(
    { url, user },
    'nodes are asked from a content repository: every user here can learn what this account may see',
  );
  return new RepositoryNodes({ url, user, password, deadline, onFault });
}

/** Keeps the catalogue; faults in its documents are told, and the last good one stays in force. */
function catalogueKeeper({ settings, log }: Parts): CatalogueKeeper {
  const { definitions, definitionsGeneration: generation, model } = settings;
  return new CatalogueKeeper(
    { definitions, generation, model },
    {
      onLoaded: (catalogue) => log.info({ definitions: catalogue.definitions.length }, 'catalogue loaded'),
      onFault: (fault) => log.error({ err: fault }, 'catalogue faulty: the last good one stays in force'),
    },
  );
}

/** Listens on both ports. */
async function listenOn(
  parts: Parts,
  gate: Gate,
  metrics: Metrics,
): Promise<Pick<Service, 'url' | 'metricsUrl' | 'stop'>> {
  const { settings, store, clock, log, onFault } = parts;
  let stopping = false;
  const server = buildServer({
    find: routes(operations, settings.basePaths),
    ways: new Map(operations.map((operation) => [operation, gate.way(operation)])),
    addresses: new ClientAddresses(settings.trustedProxies),
    allowedOrigins: settings.allowedOrigins,
    clock,
    limits: settings,
    nextRequestId: requestIds(),
    onAnswered: observer(log, metrics),
    onFault,
  });
  const ready = async () => {
    if (stopping) return 'stopping';
    const answered = store.read((unit) => unit.tickets.serverGeneration());
    return answered.then(
      () => undefined,
      (fault: Error) => fault.message,
    );
  };
  const metricsServer = buildMetricsServer({ registry: metrics.registry, ready });
  const { host, port, metricsHost, metricsPort } = settings;
  const stop = async () => {
    stopping = true;
    const cut = setTimeout(() => server.server.closeAllConnections(), settings.stopDeadline);
    await server.close();
    clearTimeout(cut);
    metricsServer.close();
    metricsServer.closeAllConnections();
  };
  try {
    const url = await listen(
      server.server,
      server.listen({ host, port }),
      `${host} port ${port} (TESSERA_PORT)`,
    );
    if (metricsPort === 0) return { url, metricsUrl: undefined, stop };
    const place = `${metricsHost} port ${metricsPort} (TESSERA_METRICS_PORT)`;
    const metricsUrl = await listen(metricsServer, started(metricsServer, metricsHost, metricsPort), place);
    return { url, metricsUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
