import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { RequestMetrics } from './request-metrics.ts';

/** What is measured from outside the metrics: read when they are asked for. */
export interface MetricSources {
  readonly liveTickets: () => Promise<number>;
  readonly hashesWaiting: () => number;
}

/** The metrics of one service, in a registry of their own. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new RequestMetrics();
  readonly #logins: Counter;
  readonly #urlPasswords: Counter;

  constructor({ liveTickets, hashesWaiting }: MetricSources) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
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
    this.#requests.answered(operation, outcome, seconds);
  }

  /** All of them, in the Prometheus text format. */
  async text(): Promise<string> {
    return `${this.#requests.text()}${await this.#registry.metrics()}`;
  }

  /** The media type of {@link text}. */
  get contentType(): string {
    return this.#registry.contentType;
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
