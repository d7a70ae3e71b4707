import type { Gate } from '../gate/execute.ts';
import { anyRequestRoutes } from '../http/any-request.ts';
import { ClientAddresses } from '../http/client-address.ts';
import { listen, listenNoMore } from '../http/listen.ts';
import type { MetricsParts } from '../http/metrics-server.ts';
import { routes } from '../http/routes.ts';
import { buildServer } from '../http/server.ts';
import { droppedConnections } from '../telemetry/dropped-connections.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { observer, requestIds } from '../telemetry/observer.ts';
import { connectionsWithin, mostOpen } from './connections.ts';
import { type MetricsPort, openMetricsPort } from './metrics-port.ts';
import type { Parts } from './parts.ts';

/** The two servers, listening. */
export interface Listening {
  readonly url: string;
  readonly metricsUrl: string | undefined;
  /** What the metrics port tells, or would tell. */
  readonly watched: MetricsParts;
  /** Ends the start: from now on it says that it is ready. */
  started(): void;
  /** No new connections; those that are open are served on until {@link stop}. */
  listenNoMore(): void;
  /** No new connections; requests in flight finish within the deadline that is set. */
  stop(): Promise<void>;
}

/** Listens on both ports, or on none. It is not ready before it is told that it has started. */
export async function listenOn(
  { settings, store, operations, clock, log, onFault }: Parts,
  gate: Gate,
  metrics: Metrics,
): Promise<Listening> {
  let notReady: 'starting' | 'stopping' | undefined = 'starting';
  const server = buildServer({
    find: routes(operations, settings.basePaths),
    findAny: anyRequestRoutes(operations, settings.basePaths),
    ways: new Map(operations.map((operation) => [operation, gate.way(operation)])),
    addresses: new ClientAddresses(settings.trustedProxies),
    allowedOrigins: settings.allowedOrigins,
    gateUriHeader: settings.gateUriHeader,
    clock,
    limits: { ...settings, connections: connectionsWithin(settings.connections, mostOpen(), log) },
    nextRequestId: requestIds(),
    onAnswered: observer(log, metrics),
    onDropped: droppedConnections(log, metrics),
    onFault,
  });
  const ready = async () => {
    if (notReady !== undefined) return notReady;
    const answered = store.read((unit) => unit.tickets.serverGeneration());
    return answered.then(
      () => undefined,
      (fault: Error) => fault.message,
    );
  };
  const watched = { metrics, ready, onFault };
  const { host, port } = settings;
  let metricsPort: MetricsPort | undefined;
  const started = () => {
    notReady = undefined;
  };
  const stop = async () => {
    notReady = 'stopping';
    const cut = setTimeout(() => server.server.closeAllConnections(), settings.stopDeadline);
    await server.close();
    clearTimeout(cut);
    metricsPort?.close();
  };
  try {
    await server.ready();
    // Not fastify's own listen: for each further address of localhost it makes a server without bounds, which no stop reaches.
    const url = await listen(server.server, { host, port, setting: 'TESSERA_PORT' });
    metricsPort = await openMetricsPort(settings, watched);
    const { url: metricsUrl } = metricsPort;
    return { url, metricsUrl, watched, started, listenNoMore: () => listenNoMore(server.server), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
