import type { Registry } from 'prom-client';
import { DROP_REASONS, type DropReason } from './dropped-connections.ts';
import type { MetricSources } from './registry.ts';
import { RequestMetrics } from './request-metrics.ts';

/** The media type of the Prometheus text format. */
export const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** How long after a start the library is loaded at the latest, in milliseconds. */
const SOON = 1_000;

/** The metrics of one service. What the library measures of the process begins within {@link SOON} of the start. */
export class Metrics {
  readonly #sources: MetricSources;
  readonly #requests: RequestMetrics;
  readonly #logins = new Map<string, number>();
  #urlPasswords = 0;
  #refusedPasswords = 0;
  readonly #droppedConnections = new Map<DropReason, number>(DROP_REASONS.map((reason) => [reason, 0]));
  #registry: Promise<Registry> | undefined;

  /** `operations` are the ids of those that are served. */
  constructor(sources: MetricSources, operations: readonly string[] = []) {
    this.#sources = sources;
    this.#requests = new RequestMetrics([...operations, 'none']);
    // A fault is told to whoever asks.
    setTimeout(() => this.#opened().catch(() => undefined), SOON).unref();
  }

  /** Counts a request that was answered after `seconds`, if known; `outcome` is `ok` or the refusal's code. */
  answered(operation: string, outcome: string, seconds: number | undefined): void {
    this.#requests.answered(operation, outcome, seconds);
  }

  /** Counts a login. */
  login(outcome: string): void {
    this.#logins.set(outcome, (this.#logins.get(outcome) ?? 0) + 1);
  }

  /** Counts a password that stood in a URL. */
  passwordInUrl(): void {
    this.#urlPasswords += 1;
  }

  /** Counts a password that was refused. */
  passwordRefused(): void {
    this.#refusedPasswords += 1;
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

  /** The library is loaded apart from the rest: the service listens that much sooner. */
  async #open(): Promise<Registry> {
    const { openRegistry } = await import('./registry.ts');
    return openRegistry({
      ...this.#sources,
      logins: () => this.#logins,
      urlPasswords: () => this.#urlPasswords,
      refusedPasswords: () => this.#refusedPasswords,
      droppedConnections: () => this.#droppedConnections,
    });
  }
}
