import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Announcement } from '../../first-start.ts';
import type { Service } from '../../main.ts';
import type { Settings } from '../../settings/table.ts';
import { droppedConnections } from '../../telemetry/dropped-connections.ts';
import { faultTeller } from '../../telemetry/faults.ts';
import { openLog } from '../../telemetry/log.ts';
import { sharedOutput } from '../../telemetry/output.ts';
import { warnOfPlainHttp } from '../certificate.ts';
import { type MetricsPort, openMetricsPort } from '../metrics-port.ts';
import { mergedMetrics } from './merged-metrics.ts';
import { OneWorker } from './one-worker.ts';

/** Milliseconds before a worker that ended is replaced: whatever ended it must not be beset. */
const BEFORE_REPLACING = 1_000;

/** Several worker processes that share their socket, started, watched, replaced when they end, and stopped together. */
class Workers {
  readonly #settings: Settings;
  readonly #log: ReturnType<typeof openLog>;
  readonly #all: (OneWorker | undefined)[];
  readonly #stopping = new AbortController();
  readonly #onAdministrator: (made: Announcement) => void;
  readonly onFault: (fault: unknown) => void;
  readonly onDropped: ReturnType<typeof droppedConnections>;

  constructor(settings: Settings, onAdministrator: (made: Announcement) => void) {
    this.#settings = settings;
    this.#onAdministrator = onAdministrator;
    this.#all = Array.from({ length: settings.workers }, () => undefined);
    this.#log = openLog(settings.logLevel, sharedOutput());
    this.onFault = faultTeller(this.#log);
    // The metrics of workers are their own: of the metrics port the log alone tells.
    this.onDropped = droppedConnections(this.#log, () => undefined);
  }

  /**
   * Starts the first worker alone, which brings the schema up to date and makes the first administrator. The others start
   * after it. Returns the URL.
   */
  async start(onTerminal: boolean): Promise<string> {
    const url = await this.#startOne(0, onTerminal);
    for (let at = 1; at < this.#all.length; at += 1) void this.#startAgain(at);
    return url;
  }

  async ready(): Promise<string | undefined> {
    if (this.#stopping.signal.aborted) return 'stopping';
    if (this.#all.includes(undefined)) return 'not all workers have started';
    const answers = await Promise.allSettled(this.#living().map((worker) => worker.ask('ready')));
    const faults = answers.map((one) => (one.status === 'rejected' ? String(one.reason.message) : one.value));
    return faults.find((fault) => fault !== undefined);
  }

  async metrics(): Promise<string> {
    const texts = await Promise.all(this.#all.map((one) => one?.ask('metrics').catch(() => '') ?? ''));
    return mergedMetrics(texts.map((text) => text ?? ''));
  }

  warnOfPlainHttp(url: string): void {
    warnOfPlainHttp(url, this.#settings, this.#log);
  }

  reload(): void {
    for (const worker of this.#living()) worker.reload();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const living = this.#living();
    // First nobody listens: who comes back once one ends its connection would be handed to the next that ends.
    await Promise.allSettled(living.map((worker) => worker.ask('listenNoMore')));
    await Promise.all(living.map((worker) => worker.stop()));
    this.#log.info('stopped');
  }

  #living(): OneWorker[] {
    return this.#all.filter((worker) => worker !== undefined);
  }

  async #startOne(at: number, onTerminal: boolean): Promise<string> {
    const plan = { settings: this.#settings, onTerminal, sweeps: at === 0 };
    const worker = new OneWorker(plan, at + 1, this.#onAdministrator);
    this.#all[at] = worker;
    const url = await worker.started;
    void worker.ended.then((ended) => this.#replace(at, { ended }, 'a worker ended and is replaced'));
    return url;
  }

  /** Starts one other than the very first; what cannot be started is told of and tried again, and takes nobody along. */
  async #startAgain(at: number): Promise<void> {
    try {
      await this.#startOne(at, false);
    } catch (error) {
      void this.#replace(at, { err: error }, 'a worker cannot be started');
    }
  }

  async #replace(at: number, why: object, told: string): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    this.#all[at] = undefined;
    this.#log.error({ worker: at + 1, ...why }, told);
    await pause(BEFORE_REPLACING, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await this.#startAgain(at);
  }
}

/** The program beside this file: as it is written, or compiled. */
const WORKER = fileURLToPath(new URL(`./worker${import.meta.url.slice(-3)}`, import.meta.url));

/**
 * Starts the service as several processes on one socket (`workers` in the settings). What one of them is told holds
 * for all: they share the store, which is coherent between processes. Throws as `startService` does.
 */
export async function startWorkers(
  settings: Settings,
  onTerminal: boolean,
  onAdministrator: (made: Announcement) => void,
): Promise<Service> {
  cluster.setupPrimary({ exec: WORKER, args: [], serialization: 'advanced' });
  const workers = new Workers(settings, onAdministrator);
  const watched = {
    metrics: { text: () => workers.metrics() },
    ready: () => workers.ready(),
    onFault: workers.onFault,
  };
  let metricsPort: MetricsPort | undefined;
  const stop = async () => {
    await workers.stop();
    metricsPort?.close();
  };
  try {
    metricsPort = await openMetricsPort(settings, watched, () => workers.onDropped('metrics'));
    const url = await workers.start(onTerminal);
    workers.warnOfPlainHttp(url);
    return { url, metricsUrl: metricsPort.url, watched, stop, reload: () => workers.reload() };
  } catch (error) {
    await stop();
    throw error;
  }
}
