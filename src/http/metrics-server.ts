import { createServer, type Server } from 'node:http';
import { type Metrics, PROMETHEUS_TEXT } from '../telemetry/metrics.ts';
import { isHost, type ServedHosts } from './host.ts';

/** What the metrics port tells; `ready` resolves to why the service is not ready, or to nothing. */
export interface MetricsParts {
  readonly metrics: Pick<Metrics, 'text'>;
  readonly ready: () => Promise<string | undefined>;
  /** Told why a page could not be. */
  readonly onFault: (fault: unknown) => void;
}

/** Connections that the metrics port has at a time: each takes a file handle of the process, as those of clients do. */
export const METRICS_CONNECTIONS = 50;
/** Milliseconds within which a request has to come whole, the next one has to begin, and some of the answer has to be read. */
const PATIENCE = 5_000;

/** What whoever asks learns of a fault: the log has the rest. */
const UNTOLD = 'This cannot be told now: the log says why\n';

type TextPage = readonly [status: number, type: string, body: string];

async function told(path: string | undefined, { metrics, ready }: MetricsParts): Promise<TextPage> {
  switch (path) {
    case '/health/live':
      return [200, 'text/plain', 'live\n'];
    case '/health/ready': {
      const fault = await ready();
      return fault === undefined
        ? [200, 'text/plain', 'ready\n']
        : [503, 'text/plain', `not ready: ${fault}\n`];
    }
    case '/metrics':
      return [200, PROMETHEUS_TEXT, await metrics.text()];
    default:
      return [404, 'text/plain', 'Here are /health/live, /health/ready and /metrics\n'];
  }
}

/** The answer to a request for another host. */
const NOT_SERVED: TextPage = [
  421,
  'text/plain',
  'This host is not served here: ask for an address of this machine, or add the host to TESSERA_HOSTS\n',
];

/** The page, or that there is none now, with its fault told. */
async function pageFor(path: string | undefined, parts: MetricsParts): Promise<TextPage> {
  try {
    return await told(path, parts);
  } catch (fault) {
    parts.onFault(new Error(`${path} cannot be told`, { cause: fault }));
    return [500, 'text/plain', UNTOLD];
  }
}

/**
 * The server of health and metrics (`wire.md` section 9), on a port of its own. Calls `onDropped` for each connection
 * that it closes because {@link METRICS_CONNECTIONS} are open.
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
