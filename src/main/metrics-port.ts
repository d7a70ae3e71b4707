import type { Logger } from 'pino';
import { ServedHosts } from '../core/http/host.ts';
import { CannotListen, listen } from '../core/http/listen.ts';
import { buildMetricsServer, type MetricsParts } from '../core/http/metrics-server.ts';
import type { SettingInEffect } from '../core/settings/read.ts';
import type { Settings } from '../core/settings/table.ts';

/** The port of health and metrics. */
export interface MetricsPort {
  /** Where it listens; undefined if it is turned off. */
  readonly url: string | undefined;
  /** Closes it at once, with every connection to it. */
  close(): void;
}

const NONE: MetricsPort = { url: undefined, close: () => undefined };

/** The settings that the port is opened by, and where they were given. */
interface MetricsPlace {
  readonly settings: Settings;
  readonly inEffect: readonly SettingInEffect[];
  readonly log: Logger;
}

/** Whether nobody chose the address: neither its host nor its port was given. */
const isDefault = (inEffect: readonly SettingInEffect[]) =>
  (['metricsHost', 'metricsPort'] as const).every((key) =>
    inEffect.some((setting) => setting.key === key && setting.from === 'default'),
  );

/**
 * Listens on the port of health and metrics, unless it is turned off. Calls `onDropped` for each connection above its limit.
 * If another program has the default port, the service goes on without, and the log warns. Throws `CannotListen` for a
 * port that was given.
 */
export async function openMetricsPort(
  { settings, inEffect, log }: MetricsPlace,
  watched: MetricsParts,
  onDropped: () => void,
): Promise<MetricsPort> {
  const { metricsHost, metricsPort, hosts: listed } = settings;
  if (metricsPort === 0) return NONE;
  // Probes and collectors name the address of a pod, which no list can hold.
  const hosts = new ServedHosts({ listed, anyAddress: true });
  const server = buildMetricsServer(watched, hosts, onDropped);
  const place = { host: metricsHost, port: metricsPort, setting: 'TESSERA_METRICS_PORT' };
  try {
    const url = await listen(server, place);
    hosts.boundTo(url);
    return {
      url,
      close() {
        server.close();
        server.closeAllConnections();
      },
    };
  } catch (error) {
    if (!(error instanceof CannotListen && error.isInUse && isDefault(inEffect))) throw error;
    log.warn(`there are no health checks and no metrics: ${error.message}; 0 turns them off`);
    return NONE;
  }
}
