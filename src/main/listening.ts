import type { FastifyInstance } from 'fastify';
import { signatureOf } from '../domain/server-identity.ts';
import type { Gate } from '../gate/execute.ts';
import { ClientAddresses } from '../http/client-address.ts';
import { ServedHosts } from '../http/host.ts';
import { listen, listenNoMore } from '../http/listen.ts';
import type { MetricsParts } from '../http/metrics-server.ts';
import { anyRequestRoutes, routes } from '../http/routes.ts';
import { buildServer } from '../http/server.ts';
import type { CertificateKeeper } from '../http/tls/certificate.ts';
import { numberOf } from '../settings/parsers.ts';
import { droppedConnections } from '../telemetry/dropped-connections.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { observer, requestIds } from '../telemetry/observer.ts';
import { identityIn } from './assembly.ts';
import { keepCertificate } from './certificate.ts';
import { connectionsWithin, mostOpen } from './connections.ts';
import { type MetricsPort, openMetricsPort } from './metrics-port.ts';
import type { ServiceParts } from './parts.ts';

/** The two servers. The metrics port is open from the beginning, and says "starting" until the public port listens. */
export interface OpenedServers {
  readonly metricsUrl: string | undefined;
  /** What the metrics port tells, or would tell. */
  readonly watched: MetricsParts;
  /** Opens the public port and returns its URL: from now on the service is ready. Throws `CannotListen`. */
  listen(): Promise<string>;
  /** No new connections; those that are open are served on until {@link stop}. */
  listenNoMore(): void;
  /** No new connections; requests in flight finish within the deadline that is set. */
  stop(): Promise<void>;
}

/** What is served. */
export interface Served {
  readonly gate: Gate;
  readonly metrics: Metrics;
  /** Where the public port speaks TLS. */
  readonly certificate: CertificateKeeper | undefined;
}

const UNNAMED_PROXY =
  'X-Forwarded-For is not believed: if this peer is a proxy of yours, name it in TESSERA_TRUSTED_PROXIES; until then all its clients are one address';

type OnDropped = ReturnType<typeof droppedConnections>;

/** The server of the public port. It does not listen yet. */
function publicServer(
  parts: ServiceParts,
  { gate, metrics, certificate }: Served,
  hosts: ServedHosts,
  onDropped: OnDropped,
): FastifyInstance {
  const { settings, operations, clock, log, onFault } = parts;
  const addresses = new ClientAddresses(settings.trustedProxies, (peer) => log.warn({ peer }, UNNAMED_PROXY));
  const connections = connectionsWithin(settings.connections, mostOpen(), log);
  const connectionsPerAddress = numberOf(settings.connectionsPerAddress, connections);
  const server = buildServer({
    find: routes(operations, settings.basePaths),
    findAny: anyRequestRoutes(operations, settings.basePaths),
    handlers: new Map(operations.map((operation) => [operation, gate.handlerFor(operation)])),
    addresses,
    hosts,
    allowedOrigins: settings.allowedOrigins,
    gateUriHeader: settings.gateUriHeader,
    clock,
    signature: signatureOf(identityIn(settings)),
    limits: { ...settings, connections, connectionsPerAddress },
    nextRequestId: requestIds(),
    onAnswered: observer(log, metrics),
    onDropped,
    onFault,
    tls: certificate && {
      certificate: certificate.current,
      onHandshakeFailed: ({ code, message }, socket) =>
        log.info({ address: addresses.ofPeer(socket), fault: code ?? message }, 'TLS handshake failed'),
    },
  });
  keepCertificate(certificate, server.server, parts);
  return server;
}

/** Makes both servers and opens the metrics port. Throws `CannotListen`. */
export async function openServers(parts: ServiceParts, served: Served): Promise<OpenedServers> {
  const { settings, store, log, onFault } = parts;
  const { metrics } = served;
  let notReady: 'starting' | 'stopping' | undefined = 'starting';
  const onDropped = droppedConnections(log, (reason) => metrics.connectionDropped(reason));
  const hosts = new ServedHosts({ listed: settings.hosts, anyAddress: false });
  const server = publicServer(parts, served, hosts, onDropped);
  const ready = async () => {
    if (notReady !== undefined) return notReady;
    const answered = store.read((unit) => unit.tickets.serverGeneration());
    return answered.then(
      () => undefined,
      (fault: Error) => fault.message,
    );
  };
  const watched = { metrics, ready, onFault };
  let metricsPort: MetricsPort | undefined;
  const stop = async () => {
    notReady = 'stopping';
    const cut = setTimeout(() => server.server.closeAllConnections(), settings.stopDeadline);
    await server.close();
    clearTimeout(cut);
    metricsPort?.close();
  };
  const openPublicPort = async () => {
    const { host, port } = settings;
    // Not fastify's own listen: for each further address of localhost it makes a server without bounds, which no stop reaches.
    const url = await listen(server.server, { host, port, setting: 'TESSERA_PORT' });
    hosts.boundTo(url);
    notReady = undefined;
    return url;
  };
  try {
    await server.ready();
    metricsPort = await openMetricsPort(settings, watched, () => onDropped('metrics'));
    const { url: metricsUrl } = metricsPort;
    const takeNoMore = () => listenNoMore(server.server);
    return { metricsUrl, watched, listen: openPublicPort, listenNoMore: takeNoMore, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
