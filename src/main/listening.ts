import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RequestClient } from '../core/domain/request-origin.ts';
import { signatureOf } from '../core/domain/server-identity.ts';
import type { Gate } from '../core/gate/execute.ts';
import { ClientAddresses } from '../core/http/client-address.ts';
import { ServedHosts } from '../core/http/host.ts';
import { assertFree, type ListeningPlace, listen, listenNoMore, untilUsedUp } from '../core/http/listen.ts';
import { METRICS_CONNECTIONS, type MetricsParts } from '../core/http/metrics-server.ts';
import type { MountedPart } from '../core/http/mounted.ts';
import { anyRequestRoutes, routeTable } from '../core/http/routes.ts';
import { buildServer, type PublicServer } from '../core/http/server.ts';
import type { CertificateKeeper } from '../core/http/tls/certificate.ts';
import type { PasswordCheck } from '../core/identity/password-check.ts';
import { numberOf } from '../core/settings/parsers.ts';
import type { Settings } from '../core/settings/table.ts';
import { droppedConnections } from '../core/telemetry/dropped-connections.ts';
import { type Metrics, observer, requestIds } from '../core/telemetry/metrics.ts';
import { DocumentSite } from '../faces/description/document-site.ts';
import { allServed, identityIn, type ServiceParts } from './assembly.ts';
import { keepCertificate } from './certificate.ts';
import { LatePages } from './late-pages.ts';
import { type MetricsPort, openMetricsPort } from './metrics-port.ts';

/** The two servers. The metrics port is open from the beginning, and answers "starting" until the public port listens. */
export interface OpenedServers {
  readonly metricsUrl: string | undefined;
  /** What the metrics port serves, or would serve if it is turned off. */
  readonly watched: MetricsParts;
  /** Throws `CannotListen` if another program has the public port. */
  assertPortFree(): Promise<void>;
  /** Opens the public port and returns its URL: from now on the service is ready. Throws `CannotListen`. */
  listen(): Promise<string>;
  /** Says from now on that it is not ready. */
  beNotReady(): void;
  /** Takes no new connections. Open ones are served until {@link stop}. */
  listenNoMore(): void;
  /** Makes ready for a stop without a failed request: says that it is not ready, serves on for `TESSERA_STOP_DELAY`, then takes no new
   * connections, and lets clients use up the open ones. */
  drain(): Promise<void>;
  /** Closes each connection after its next answer, and waits until none is left, or none was used for a second. */
  useUp(): Promise<void>;
  /** Takes no new connections, and finishes requests in flight within the deadline that is set. */
  stop(): Promise<void>;
}

/** What is served. */
export interface Served {
  readonly gate: Gate;
  readonly passwords: Pick<PasswordCheck, 'from'>;
  readonly metrics: Metrics;
  /** The certificate, if the public port speaks TLS. */
  readonly certificate: CertificateKeeper | undefined;
}

const UNNAMED_PROXY =
  'X-Forwarded-For is not believed: if this peer is a proxy of yours, name it in TESSERA_TRUSTED_PROXIES; until then all its clients are one address';

type OnDropped = ReturnType<typeof droppedConnections>;

/** The parts that answer below a prefix by themselves. */
function mountedIn({ settings, capabilities }: ServiceParts, passwords: Served['passwords']): MountedPart[] {
  const front = { passwordsFrom: (client: RequestClient) => passwords.from(client) };
  const mounted = capabilities.each('mounted').map((mount) => mount(front));
  return settings.docs ? [...mounted, new DocumentSite()] : mounted;
}

/** The server of the public port. It does not listen yet. */
function publicServer(
  parts: ServiceParts,
  { gate, passwords, metrics, certificate }: Served,
  { hosts, addresses }: { readonly hosts: ServedHosts; readonly addresses: ClientAddresses },
  onDropped: OnDropped,
): PublicServer {
  const { settings, operations, capabilities, clock, log, onFault } = parts;
  const all = allServed(parts);
  const handlers = new Map(all.map((operation) => [operation, gate.handlerFor(operation)]));
  const table = routeTable(settings.basePaths);
  table.add(all);
  const pages = settings.portal ? new LatePages(parts, { gate, metrics, table, handlers }) : undefined;
  const tracing = capabilities.one('tracing');
  const proxyRequests = capabilities.one('proxyRequests')?.({ addresses, hosts });
  const connections = connectionsWithin(settings.connections, mostOpen(), log);
  const connectionsPerAddress = numberOf(settings.connectionsPerAddress, connections);
  const built = buildServer({
    find: table.find,
    findAny: anyRequestRoutes(operations, settings.basePaths),
    handlers,
    loadPages: () => pages?.load(),
    addresses,
    hosts,
    mounted: mountedIn(parts, passwords),
    allowedOrigins: settings.allowedOrigins,
    gateUriHeader: proxyRequests?.uriHeader ?? '',
    cookieDomain: settings.cookieDomain,
    returnHosts: settings.returnHosts,
    brand: settings,
    signInButtons: capabilities.browserTools.signInButtons ?? (() => []),
    pageRefusals: () => pages?.refusals,
    proxyRequests,
    clock,
    signature: signatureOf(identityIn(settings)),
    limits: { ...settings, connections, connectionsPerAddress },
    nextRequestId: requestIds(),
    onAnswered: observer(log, metrics, tracing && ((answered) => tracing.answered(answered))),
    tracing,
    onDropped,
    onFault,
    tls: certificate && {
      certificate: certificate.current,
      onHandshakeFailed: ({ code, message }, socket) =>
        log.info({ address: addresses.ofPeer(socket), fault: code ?? message }, 'TLS handshake failed'),
    },
  });
  keepCertificate(certificate, built.fastify.server, parts);
  return built;
}

/** How the public server is made ready for its stop. */
function drainingOf(
  { fastify, closeAfterAnswers }: PublicServer,
  { stopDelay }: Settings,
  beNotReady: () => void,
): Pick<OpenedServers, 'beNotReady' | 'listenNoMore' | 'useUp' | 'drain'> {
  const useUp = async () => {
    closeAfterAnswers();
    await untilUsedUp(fastify.server);
  };
  return {
    beNotReady,
    listenNoMore: () => void listenNoMore(fastify.server),
    useUp,
    async drain() {
      beNotReady();
      await pause(stopDelay);
      // Before answers close connections: until then clients need few new ones, and one that is on its way may be lost.
      await listenNoMore(fastify.server);
      await useUp();
    },
  };
}

/** Makes both servers, the public one for this place, and opens the metrics port. Throws `CannotListen`. */
export async function openServers(
  parts: ServiceParts,
  served: Served,
  place: ListeningPlace,
): Promise<OpenedServers> {
  const { settings, readiness, log, onFault } = parts;
  const { metrics } = served;
  const onDropped = droppedConnections(log, (reason) => metrics.connectionDropped(reason));
  const hosts = new ServedHosts({ listed: settings.hosts, anyAddress: false });
  const addresses = new ClientAddresses(settings.trustedProxies, (peer) => log.warn({ peer }, UNNAMED_PROXY));
  const built = publicServer(parts, served, { hosts, addresses }, onDropped);
  const server = built.fastify;
  const watched = { metrics, ready: () => readiness.fault(), onFault };
  let metricsPort: MetricsPort | undefined;
  const stop = async () => {
    readiness.stopping();
    const cut = setTimeout(() => server.server.closeAllConnections(), settings.stopDeadline);
    await server.close();
    clearTimeout(cut);
    metricsPort?.close();
  };
  const openPublicPort = async () => {
    // Not fastify's own listen: for each further address of localhost it makes a server that has no limits and never stops.
    const url = await listen(server.server, place);
    hosts.boundTo(url);
    addresses.boundTo(url);
    readiness.started();
    return url;
  };
  try {
    await server.ready();
    metricsPort = await openMetricsPort(parts, watched, () => onDropped('metrics'));
    const { url: metricsUrl } = metricsPort;
    const draining = drainingOf(built, settings, () => readiness.stopping());
    const assertPortFree = () => assertFree(place);
    return { metricsUrl, watched, assertPortFree, listen: openPublicPort, ...draining, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Files that the process has open besides connections: its modules, and the files and connections of the store. */
const FILES = 100;
/** Everything that the process has open besides connections of clients. */
const OTHERS = FILES + METRICS_CONNECTIONS;

/** How many files and connections the system lets this process have open; infinite if it does not say. */
function mostOpen(): number {
  try {
    const [, most] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return most === undefined ? Number.POSITIVE_INFINITY : Number(most);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * The connections that are allowed, or as many as the system leaves room for, with a warning. At the limit of the system a
 * process can neither close a connection properly nor open a file.
 */
export function connectionsWithin(allowed: number, most: number, log: Logger): number {
  const room = Math.max(most - OTHERS, 1);
  if (allowed <= room) return allowed;
  log.warn(
    `the system lets this process have ${most} files open, so it serves ${room} connections at a time and not the ` +
      `${allowed} of TESSERA_CONNECTIONS: raise that limit to ${allowed + OTHERS} (ulimit -n, LimitNOFILE of systemd), or set fewer`,
  );
  return room;
}
