import { createServer, type Server } from 'node:http';
import { type Metrics, PROMETHEUS_TEXT, readiness } from '../telemetry/metrics.ts';
import { isHost, type ServedHosts } from './host.ts';

/** What the metrics port serves. `ready` resolves to why the service is not ready, or to undefined. */
export interface MetricsParts {
  readonly metrics: Pick<Metrics, 'text'>;
  readonly ready: () => Promise<string | undefined>;
  /** Called with the fault of a page that could not be made. */
  readonly onFault: (fault: unknown) => void;
}

/** The most connections of the metrics port. Each takes a file handle of the process, as those of clients do. */
export const METRICS_CONNECTIONS = 50;
/** Milliseconds in which a whole request has to come, the next one has to begin, and the client has to read some of an answer. */
const PATIENCE = 5_000;

/** All that a caller learns of a fault. The log has the rest. */
const FAULT = 'This cannot be told now: the log says why\n';

type TextPage = readonly [status: number, type: string, body: string];

async function pageAt(path: string | undefined, { metrics, ready }: MetricsParts): Promise<TextPage> {
  switch (path) {
    case '/health/live':
      return [200, 'text/plain', 'live\n'];
    case '/health/ready': {
      const fault = await readySoon(ready);
      return fault === undefined
        ? [200, 'text/plain', 'ready\n']
        : [503, 'text/plain', `not ready: ${fault}\n`];
    }
    case '/metrics':
      return [200, PROMETHEUS_TEXT, (await metrics.text()) + readiness(await isReadySoon(ready))];
    default:
      return [404, 'text/plain', 'Here are /health/live, /health/ready and /metrics\n'];
  }
}

/** Milliseconds that health and metrics wait for the store. They are needed most while it stands still. */
const READY_WITHIN = 2_000;
const SILENT = `the store has not answered for ${READY_WITHIN} ms`;

/** Why the service is not ready, or undefined. It is not if it does not say so within {@link READY_WITHIN}. */
async function readySoon(ready: MetricsParts['ready']): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(SILENT), READY_WITHIN);
  return Promise.race([ready(), late.promise]).finally(() => clearTimeout(timer));
}

const isReadySoon = (ready: MetricsParts['ready']) =>
  readySoon(ready).then(
    (fault) => fault === undefined,
    () => false,
  );

/** The answer to a request for another host. */
const NOT_SERVED: TextPage = [
  421,
  'text/plain',
  'This host is not served here: ask for an address of this machine, or add the host to TESSERA_HOSTS\n',
];

/** The page at a path. A fault is reported, and answered 500. */
async function pageFor(path: string | undefined, parts: MetricsParts): Promise<TextPage> {
  try {
    return await pageAt(path, parts);
  } catch (fault) {
    parts.onFault(new Error(`${path} cannot be told`, { cause: fault }));
    return [500, 'text/plain', FAULT];
  }
}

/**
 * Builds the server of health and metrics (specification, section 9), which has its own port. Calls `onDropped` for each connection
 * that is closed because {@link METRICS_CONNECTIONS} are open.
 */
export function buildMetricsServer(parts: MetricsParts, hosts: ServedHosts, onDropped: () => void): Server {
  const limits = {
    headersTimeout: PATIENCE,
    requestTimeout: PATIENCE,
    keepAliveTimeout: PATIENCE,
    connectionsCheckingInterval: 1_000,
  };
  const server = createServer(limits, (request, response) => {
    const path = request.url?.split('?')[0];
    const { host } = request.headers;
    const isServed = host === undefined || (isHost(host) && hosts.serves(host));
    const page = isServed ? pageFor(path, parts) : Promise.resolve(NOT_SERVED);
    void page.then(([status, type, body]) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
    );
  });
  server.maxConnections = METRICS_CONNECTIONS;
  server.setTimeout(PATIENCE);
  return server.on('drop', onDropped);
}
