import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What is measured from outside the metrics: read when they are asked for. */
export interface MetricSources {
  readonly liveTickets: () => Promise<number>;
  readonly hashesWaiting: () => number;
}

/** The metrics of one service, in a registry of their own. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter;
  readonly #durations: Histogram;
  readonly #logins: Counter;
  readonly #urlPasswords: Counter;

  constructor({ liveTickets, hashesWaiting }: MetricSources) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    const labelNames = ['operation', 'outcome'];
    this.#requests = new Counter({
      name: 'tessera_requests_total',
      help: 'Requests by operation and outcome.',
      labelNames,
      registers,
    });
    const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
    this.#durations = new Histogram({
      name: 'tessera_request_duration_seconds',
      help: 'Time from a request to the end of its answer.',
      labelNames: ['operation'],
      buckets,
      registers,
    });
    this.#logins = new Counter({
      name: 'tessera_logins_total',
      help: 'Logins by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    this.#urlPasswords = new Counter({
      name: 'tessera_url_passwords_total',
      help: 'Logins by GET with a password in the URL.',
      registers,
    });
    new Gauge({
      name: 'tessera_live_tickets',
      help: 'Tickets that are valid now.',
      registers,
      async collect() {
        this.set(await liveTickets());
      },
    });
    new Gauge({
      name: 'tessera_hash_queue',
      help: 'Password hashes waiting for their turn.',
      registers,
      collect() {
        this.set(hashesWaiting());
      },
    });
  }

  /** Counts a request that was answered after `seconds`; `outcome` is `ok` or the refusal's code. */
  answered(operation: string, outcome: string, seconds: number): void {
    this.#requests.inc({ operation, outcome });
    this.#durations.observe({ operation }, seconds);
  }

  /** Counts a login. */
  login(outcome: string): void {
    this.#logins.inc({ outcome });
  }

  /** Counts a password that stood in a URL. */
  passwordInUrl(): void {
    this.#urlPasswords.inc();
  }
}
