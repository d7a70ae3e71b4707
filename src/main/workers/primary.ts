import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listen, started } from '../../http/listen.ts';
import { buildMetricsServer } from '../../http/metrics-server.ts';
import type { Service } from '../../main.ts';
import type { Settings } from '../../settings/table.ts';
import { openLog } from '../../telemetry/log.ts';
import { PROMETHEUS_TEXT } from '../../telemetry/metrics.ts';
import { sharedOutput } from '../../telemetry/output.ts';
import { mergedMetrics } from './merged-metrics.ts';
import { OneWorker } from './one-worker.ts';

/** Milliseconds before a worker that ended is replaced: whatever ended it must not be beset. */
const BEFORE_REPLACING = 1_000;

/** Several worker processes that share their socket, started, watched, replaced when they end, and stopped together. */
class Workers {
  readonly #settings: Settings;
  readonly #log: ReturnType<typeof openLog>;
  readonly #all: (OneWorker | undefined)[] = [];
  readonly #stopping = new AbortController();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#log = openLog(settings.logLevel, sharedOutput());
  }

  /** The first one starts alone: it brings the schema up to date and makes the first administrator. */
  async start(onTerminal: boolean) {
    const first = await this.#startOne(0, onTerminal);
    const others = Array.from({ length: this.#settings.workers - 1 }, (_, at) =>
      this.#startOne(at + 1, false),
    );
    await Promise.all(others);
    return first;
  }

  async ready(): Promise<string | undefined> {
    if (this.#stopping.signal.aborted) return 'stopping';
    if (this.#all.includes(undefined)) return 'a worker is being replaced';
    const answers = await Promise.allSettled(this.#living().map((worker) => worker.ask('ready')));
    const faults = answers.map((one) => (one.status === 'rejected' ? String(one.reason.message) : one.value));
    return faults.find((fault) => fault !== undefined);
  }

  async metrics(): Promise<string> {
    const texts = await Promise.all(this.#all.map((one) => one?.ask('metrics').catch(() => '') ?? ''));
    return mergedMetrics(texts.map((text) => text ?? ''));
  }

  reload(): void {
    for (const worker of this.#living()) worker.reload();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#living().map((worker) => worker.stop()));
    this.#log.info('stopped');
  }

  #living(): OneWorker[] {
    return this.#all.filter((worker) => worker !== undefined);
  }

  async #startOne(at: number, onTerminal: boolean) {
    const worker = new OneWorker({ settings: this.#settings, onTerminal, sweeps: at === 0 });
    this.#all[at] = worker;
    const start = await worker.started;
    void worker.ended.then((how) => this.#replace(at, how));
    return start;
  }

  async #replace(at: number, how: string): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    this.#all[at] = undefined;
    this.#log.error({ worker: at + 1, ended: how }, 'a worker ended and is replaced');
    for (;;) {
      await pause(BEFORE_REPLACING, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#startOne(at, false);
        return;
      } catch (error) {
        this.#all[at] = undefined;
        this.#log.error({ err: error, worker: at + 1 }, 'a worker cannot be replaced');
      }
    }
  }
}

/** The program beside this file: as it is written, or compiled. */
const WORKER = fileURLToPath(new URL(`./worker${import.meta.url.slice(-3)}`, import.meta.url));

/**
 * Starts the service as several processes on one socket (`workers` in the settings). What one of them is told holds
 * for all: they share the store, which is coherent between processes. Throws as `startService` does.
 */
export async function startWorkers(settings: Settings, onTerminal: boolean): Promise<Service> {
  cluster.setupPrimary({ exec: WORKER, args: [], serialization: 'advanced' });
  const workers = new Workers(settings);
  const metrics = { text: () => workers.metrics(), contentType: PROMETHEUS_TEXT } as const;
  const watched = { metrics, ready: () => workers.ready() };
  const server = buildMetricsServer(watched);
  const stop = async () => {
    await workers.stop();
    server.close();
    server.closeAllConnections();
  };
  try {
    const { url, announcement } = await workers.start(onTerminal);
    const { metricsHost, metricsPort } = settings;
    const place = `${metricsHost} port ${metricsPort} (TESSERA_METRICS_PORT)`;
    const metricsUrl =
      metricsPort === 0 ? undefined : await listen(server, started(server, metricsHost, metricsPort), place);
    return { url, metricsUrl, announcement, watched, stop, reload: () => workers.reload() };
  } catch (error) {
    await stop();
    throw error;
  }
}
