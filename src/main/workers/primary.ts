import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Announcement } from '../../core/first-start.ts';
import { assertPathFree } from '../../core/http/listen.ts';
import { closeNewSockets } from '../../core/http/unix-socket.ts';
import { publicPlaceIn } from '../../core/settings/derived.ts';
import { droppedConnections } from '../../core/telemetry/dropped-connections.ts';
import { faultLogger, openLog, sharedOutput } from '../../core/telemetry/log.ts';
import { warnOfPlainHttp } from '../certificate.ts';
import type { Service } from '../main.ts';
import { type MetricsPort, openMetricsPort } from '../metrics-port.ts';
import type { Plan } from './messages.ts';
import { OneWorker } from './one-worker.ts';
import { SharedSocket } from './shared-socket.ts';

/** Milliseconds before a worker that ended is replaced, so that restarts do not add to the load that ended it. */
const BEFORE_REPLACING = 1_000;

/** The settings of a service, and what administrators are shown of them. */
type ReadSettings = Pick<Plan, 'settings' | 'inEffect' | 'openTelemetry'>;

/** Several worker processes that share their socket. It starts, watches and stops them, and replaces the ones that end. */
class Workers {
  readonly #read: ReadSettings;
  readonly log: ReturnType<typeof openLog>;
  readonly #all: (OneWorker | undefined)[];
  readonly #stopping = new AbortController();
  readonly #socket = new SharedSocket();
  #url: string | undefined;
  #drained = false;
  readonly #onAdministrator: (announcement: Announcement) => void;
  readonly onFault: (fault: unknown) => void;
  readonly onDropped: ReturnType<typeof droppedConnections>;

  constructor(read: ReadSettings, onAdministrator: (announcement: Announcement) => void) {
    const { settings } = read;
    this.#read = read;
    this.#onAdministrator = onAdministrator;
    this.#all = Array.from({ length: settings.workers }, () => undefined);
    this.log = openLog(settings.logLevel, sharedOutput());
    this.onFault = faultLogger(this.log);
    // Only workers have metrics. Dropped connections of the metrics port are only logged.
    this.onDropped = droppedConnections(this.log, () => undefined);
  }

  /**
   * Starts the first worker alone: it migrates the schema and makes the first administrator. Then it starts the others.
   * Returns the URL.
   */
  async start(onTerminal: boolean): Promise<string> {
    const url = await this.#startOne(0, onTerminal);
    this.#url = url;
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
    warnOfPlainHttp(url, this.#read.settings, this.log);
  }

  reload(): void {
    for (const worker of this.#living()) worker.reload();
  }

  /** As {@link Service.drain}. The workers use up their connections as a part of {@link stop}. */
  async drain(): Promise<void> {
    this.#stopping.abort();
    this.#drained = true;
    // A worker that does not answer is gone, or answers nothing else either.
    void Promise.allSettled(this.#living().map((worker) => worker.ask('beNotReady')));
    await pause(this.#read.settings.stopDelay);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const living = this.#living();
    if (this.#url !== undefined) await this.#socket.listenNoMore(this.#url);
    // First no worker listens any more. Otherwise a client whose connection ends would reconnect to a worker that ends next.
    // One after the other: a connection that is on its way to one that listens no more goes to the next one.
    for (const worker of living) await worker.ask('listenNoMore').catch(() => undefined);
    await Promise.all(living.map((worker) => worker.stop(this.#drained)));
    this.log.info('stopped');
  }

  #living(): OneWorker[] {
    return this.#all.filter((worker) => worker !== undefined);
  }

  async #startOne(at: number, onTerminal: boolean): Promise<string> {
    const plan = { ...this.#read, onTerminal, sweeps: at === 0 };
    const worker = new OneWorker(plan, at + 1, this.#onAdministrator);
    this.#all[at] = worker;
    const url = await worker.started;
    void worker.ended.then((ended) => this.#replace(at, { ended }, 'a worker ended and is replaced'));
    return url;
  }

  /** Starts any worker but the first. If it cannot start, that is logged and tried again, and the others go on. */
  async #startAgain(at: number): Promise<void> {
    try {
      await this.#startOne(at, false);
    } catch (error) {
      void this.#replace(at, { err: error }, 'a worker cannot be started');
    }
  }

  async #replace(at: number, why: object, message: string): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    this.#all[at] = undefined;
    this.log.error({ worker: at + 1, ...why }, message);
    await pause(BEFORE_REPLACING, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await this.#startAgain(at);
  }
}

/** The program beside this file, in TypeScript or compiled. */
const WORKER = fileURLToPath(new URL(`./worker${import.meta.url.slice(-3)}`, import.meta.url));

/**
 * Starts the service as several processes on one socket (`workers` in the settings). A change by one of them holds for all:
 * they share the store, which is coherent between processes. Throws as `startService` does.
 */
export async function startWorkers(
  read: ReadSettings,
  onTerminal: boolean,
  onAdministrator: (announcement: Announcement) => void,
): Promise<Service> {
  cluster.setupPrimary({ exec: WORKER, args: [], serialization: 'advanced' });
  const workers = new Workers(read, onAdministrator);
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
    metricsPort = await openMetricsPort({ ...read, log: workers.log }, watched, () =>
      workers.onDropped('metrics'),
    );
    await assertPathFree(publicPlaceIn(read.settings));
    // This process binds the socket of the workers, at a time that `node:cluster` chooses.
    closeNewSockets();
    const url = await workers.start(onTerminal);
    workers.warnOfPlainHttp(url);
    const { url: metricsUrl } = metricsPort;
    const [drain, reload] = [() => workers.drain(), () => workers.reload()];
    return { url, metricsUrl, watched, drain, stop, reload };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The lines of one metric. */
interface Family {
  readonly about: string[];
  readonly samples: string[];
}

/** A sample with the label `worker` added before its own labels. */
function labelled(sample: string, worker: number): string {
  const end = sample.search(/[{ ]/);
  const rest = sample[end] === '{' ? `,${sample.slice(end + 1)}` : `}${sample.slice(end)}`;
  return `${sample.slice(0, end)}{worker="${worker}"${rest}`;
}

/** The lines of a text, each with the metric that the comment before it names. */
function* familiesOf(text: string): Generator<[name: string, line: string, isComment: boolean]> {
  let name = '';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const isComment = line.startsWith('# ');
    if (isComment) name = line.split(' ')[2] as string;
    yield [name, line, isComment];
  }
}

/**
 * Merges the metrics of several workers into one text in the Prometheus format (version 0.0.4). Each sample gets the label
 * `worker` with the number of its worker, from 1 on.
 */
function mergedMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const [index, text] of texts.entries()) {
    for (const [name, line, isComment] of familiesOf(text)) {
      const family = families.get(name) ?? { about: [], samples: [] };
      families.set(name, family);
      if (!isComment) family.samples.push(labelled(line, index + 1));
      else if (!family.about.includes(line)) family.about.push(line);
    }
  }
  return [...families.values()].flatMap(({ about, samples }) => [...about, ...samples, '']).join('\n');
}
