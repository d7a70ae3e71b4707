import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Refusal, RefusalCode } from '../domain/refusal.ts';
import { DROP_REASONS, type DropReason } from './dropped-connections.ts';
import { writeLine } from './log.ts';
import type { MetricSources } from './registry.ts';

/** What is logged and counted of a request once it is answered, as far as it is known. */
export interface RequestRecord {
  readonly id: string;
  /** The id of the operation, if one was found. */
  readonly operation?: string | undefined;
  readonly isLogin?: boolean | undefined;
  readonly passwordInUrl?: boolean | undefined;
  readonly refusal?: Refusal | undefined;
  readonly status: number;
  /** Milliseconds. Unknown if the bytes could not be read as a request. */
  readonly duration?: number | undefined;
  readonly user?: string | undefined;
  readonly digest?: string | undefined;
  /** The name of the client that called. */
  readonly client?: string | undefined;
  readonly address?: string | undefined;
}

/** Returns a function that gives request ids: a random part that no other process has, and a number. */
export function requestIds(): () => string {
  const prefix = randomBytes(4).toString('hex');
  let number = 0;
  return () => {
    number += 1;
    return `${prefix}-${number.toString(36)}`;
  };
}

/**
 * Returns a function that logs and counts each answered request, in a line at `info` and in the metrics. `endTrace` ends its
 * trace, and returns the id.
 */
export function observer(
  log: Logger,
  metrics: Metrics,
  endTrace?: (answered: RequestRecord) => string | undefined,
): (answered: RequestRecord) => void {
  return (answered) => {
    const { id, operation, isLogin, passwordInUrl, refusal, status, duration } = answered;
    const { user, digest, client, address } = answered;
    const outcome = refusal?.refused ?? 'ok';
    metrics.answered(operation ?? 'none', outcome, duration && duration / 1_000);
    if (isLogin) metrics.login(outcome);
    if (passwordInUrl) metrics.passwordInUrl();
    const ms = duration && Math.round(duration * 1_000) / 1_000;
    const about = { user: user ?? refusal?.user, digest, client, address, trace_id: endTrace?.(answered) };
    writeLine(log, { id, operation, outcome, reason: refusal?.reason, status, ms, ...about }, 'request');
  };
}

/** The media type of the Prometheus text format. */
export const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** Whether the service is ready, in that format. It is no metric of a process: several workers are ready together. */
export const readiness = (isReady: boolean) =>
  `# HELP tessera_ready Whether the store can be read, as /health/ready says: 1, otherwise 0.
# TYPE tessera_ready gauge
tessera_ready ${Number(isReady)}
`;

/** Milliseconds after a start at which the library is loaded at the latest. */
const LOADED_AFTER = 1_000;

/** The metrics of one service. The library begins to measure the process within {@link LOADED_AFTER} of the start. */
export class Metrics {
  readonly #sources: MetricSources;
  readonly #requests = new RequestMetrics();
  readonly #logins = new Map<string, number>();
  #urlPasswords = 0;
  #refusedPasswords = 0;
  #lockOuts = 0;
  readonly #droppedConnections = new Map<DropReason, number>(DROP_REASONS.map((reason) => [reason, 0]));
  #registry: Promise<Registry> | undefined;

  /** `operations` are the ids of the operations that are served. */
  constructor(sources: MetricSources, operations: readonly string[] = []) {
    this.#sources = sources;
    this.addOperations([...operations, 'none']);
    // The request for the metrics reports a fault.
    setTimeout(() => this.#opened().catch(() => undefined), LOADED_AFTER).unref();
  }

  /** Begins the counts of these operations, which are 0 so far. */
  addOperations(ids: readonly string[]): void {
    this.#requests.add(ids);
  }

  /** Counts a request that was answered after `seconds`, if known. `outcome` is `ok` or the code of the refusal. */
  answered(operation: string, outcome: string, seconds: number | undefined): void {
    this.#requests.answered(operation, outcome, seconds);
  }

  /** Counts a login. */
  login(outcome: string): void {
    this.#logins.set(outcome, (this.#logins.get(outcome) ?? 0) + 1);
  }

  /** Counts a password in a URL. */
  passwordInUrl(): void {
    this.#urlPasswords += 1;
  }

  /** Counts a password that was refused. */
  passwordRefused(): void {
    this.#refusedPasswords += 1;
  }

  /** Counts a name that was locked out by failures. */
  lockedOut(): void {
    this.#lockOuts += 1;
  }

  /** Counts a connection that was closed because a limit was reached. */
  connectionDropped(reason: DropReason): void {
    this.#droppedConnections.set(reason, (this.#droppedConnections.get(reason) ?? 0) + 1);
  }

  /** All of them, in the Prometheus text format ({@link PROMETHEUS_TEXT}). */
  async text(): Promise<string> {
    return `${this.#requests.text()}${await (await this.#opened()).metrics()}`;
  }

  #opened(): Promise<Registry> {
    this.#registry ??= this.#open();
    return this.#registry;
  }

  /** The library is loaded apart from the rest, so that the service listens sooner. */
  async #open(): Promise<Registry> {
    const { openRegistry } = await import('./registry.ts');
    return openRegistry({
      ...this.#sources,
      logins: () => this.#logins,
      urlPasswords: () => this.#urlPasswords,
      refusedPasswords: () => this.#refusedPasswords,
      lockOuts: () => this.#lockOuts,
      droppedConnections: () => this.#droppedConnections,
    });
  }
}

/** Outcomes that alerts watch. They are 0 from the start on, since no rate shows the first value of a series. */
const ALARMING: readonly RefusalCode[] = [
  'internal',
  'store_unavailable',
  'hash_queue_full',
  'passwords_unavailable',
];

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The counts of one operation. */
interface OperationCounts {
  readonly outcomes: Map<string, number>;
  /** Requests by the smallest bucket that they fit into. The last one holds the ones that fit into no bucket. */
  readonly fitting: Float64Array;
  seconds: number;
}

/** Label values are ids of operations and codes of outcomes, so nothing in them has to be escaped. */
function* linesOf(
  operation: string,
  { outcomes, fitting, seconds }: OperationCounts,
): Generator<[string, string]> {
  for (const [outcome, times] of outcomes)
    yield ['requests', `tessera_requests_total{operation="${operation}",outcome="${outcome}"} ${times}`];
  if (fitting.every((times) => times === 0)) return;
  const name = 'tessera_request_duration_seconds';
  let upTo = 0;
  for (const [bucket, times] of fitting.entries()) {
    upTo += times;
    const le = BUCKETS[bucket] ?? '+Inf';
    yield ['durations', `${name}_bucket{le="${le}",operation="${operation}"} ${upTo}`];
  }
  yield ['durations', `${name}_sum{operation="${operation}"} ${seconds}`];
  yield ['durations', `${name}_count{operation="${operation}"} ${upTo}`];
}

const noCounts = (): OperationCounts => ({
  outcomes: new Map(),
  fitting: new Float64Array(BUCKETS.length + 1),
  seconds: 0,
});

/**
 * Counts requests and their durations, and writes them in the Prometheus text format (version 0.0.4) on demand. This is own
 * code since every request is counted, and counting with the library takes ten times as long.
 */
class RequestMetrics {
  readonly #counted = new Map<string, OperationCounts>();

  /** Begins these with counts of 0. */
  add(operations: readonly string[]): void {
    for (const operation of operations) {
      const counted = noCounts();
      for (const outcome of ALARMING) counted.outcomes.set(outcome, 0);
      this.#counted.set(operation, counted);
    }
  }

  answered(operation: string, outcome: string, seconds: number | undefined): void {
    let counted = this.#counted.get(operation);
    if (counted === undefined) {
      counted = noCounts();
      this.#counted.set(operation, counted);
    }
    const { outcomes, fitting } = counted;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (seconds === undefined) return;
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] as number)) bucket += 1;
    fitting[bucket] = (fitting[bucket] as number) + 1;
    counted.seconds += seconds;
  }

  /** Both metrics as text. */
  text(): string {
    const lines = [...this.#counted].flatMap(([operation, counted]) => [...linesOf(operation, counted)]);
    const of = (metric: string) => lines.filter(([one]) => one === metric).map(([, line]) => line);
    return [
      '# HELP tessera_requests_total Requests by operation and outcome.',
      '# TYPE tessera_requests_total counter',
      ...of('requests'),
      '# HELP tessera_request_duration_seconds Time from a request until its answer is handed to the connection.',
      '# TYPE tessera_request_duration_seconds histogram',
      ...of('durations'),
      '',
    ].join('\n');
  }
}
