import { ServedHosts } from '../http/host.ts';
import { listen } from '../http/listen.ts';
import { buildMetricsServer, type MetricsParts } from '../http/metrics-server.ts';
import type { Settings } from '../settings/table.ts';

/** The port of health and metrics. */
export interface MetricsPort {
  /** Where it listens; undefined if it is turned off. */
  readonly url: string | undefined;
  /** Closes it at once, with every connection to it. */
  close(): void;
}

/**
 * Listens on the port of health and metrics, unless it is turned off. Calls `onDropped` for each connection above its limit.
 * Throws `CannotListen`.
 */
export async function openMetricsPort(
  { metricsHost, metricsPort, hosts: listed }: Settings,
  watched: MetricsParts,
  onDropped: () => void,
): Promise<MetricsPort> {
  if (metricsPort === 0) return { url: undefined, close: () => undefined };
  // Probes and collectors name the address of a pod, which no list can hold.
  const hosts = new ServedHosts({ listed, anyAddress: true });
  const server = buildMetricsServer(watched, hosts, onDropped);
  const place = { host: metricsHost, port: metricsPort, setting: 'TESSERA_METRICS_PORT' };
  const url = await listen(server, place);
  hosts.boundTo(url);
  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
