import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { MetricSources } from './metrics.ts';
import { droppedLines } from './output.ts';

/** What the registry reads each time that it is asked. */
export interface RegistrySources extends MetricSources {
  /** How many logins had each outcome. */
  readonly logins: () => ReadonlyMap<string, number>;
  readonly urlPasswords: () => number;
  readonly droppedConnections: () => number;
}

/** The metrics of the process and those that are read from their sources, in a registry of their own. */
export function openRegistry({
  logins,
  urlPasswords,
  droppedConnections,
  liveTickets,
  hashesWaiting,
}: RegistrySources): Registry {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  new Counter({
    name: 'tessera_logins_total',
    help: 'Logins by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, times] of logins()) this.inc({ outcome }, times);
    },
  });
  new Counter({
    name: 'tessera_url_passwords_total',
    help: 'Logins by GET with a password in the URL.',
    registers,
    collect() {
      this.reset();
      this.inc(urlPasswords());
    },
  });
  new Counter({
    name: 'tessera_connections_dropped_total',
    help: 'Connections that were closed, as many being open as are allowed.',
    registers,
    collect() {
      this.reset();
      this.inc(droppedConnections());
    },
  });
  new Counter({
    name: 'tessera_log_lines_dropped_total',
    help: 'Lines of the log that standard output did not take.',
    registers,
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });
  new Gauge({
    name: 'tessera_live_tickets',
    help: 'Live tickets of the whole store, as they were counted last.',
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
  return register;
}
