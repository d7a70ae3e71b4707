import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { VERSION } from '../version.ts';
import { droppedLines } from './log.ts';

/** Numbers that others know. They are read when the metrics are asked for. */
export interface MetricSources {
  readonly liveTickets: () => number;
  readonly hashesWaiting: () => number;
}

/** Everything that the registry reads when it is asked for the metrics. */
interface RegistrySources extends MetricSources {
  /** How many logins had each outcome. */
  readonly logins: () => ReadonlyMap<string, number>;
  readonly urlPasswords: () => number;
  readonly refusedPasswords: () => number;
  /** How many connections were closed because each limit was reached. */
  readonly droppedConnections: () => ReadonlyMap<string, number>;
}

/** Opens a registry with the metrics of the process and those of the sources. */
export function openRegistry(sources: RegistrySources): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  new Gauge({
    name: 'tessera_build_info',
    help: 'Which version runs; always 1.',
    labelNames: ['version'],
    registers: [register],
  }).set({ version: VERSION }, 1);
  addCounters(register, sources);
  addGauges(register, sources);
  return register;
}

function addCounters(
  register: Registry,
  { logins, urlPasswords, refusedPasswords, droppedConnections }: RegistrySources,
): void {
  const registers = [register];
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const counterBy = (label: string, name: string, help: string, read: () => ReadonlyMap<string, number>) =>
    new Counter({
      name,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset();
        for (const [value, times] of read()) this.inc({ [label]: value }, times);
      },
    });
  counterBy('outcome', 'tessera_logins_total', 'Logins by outcome.', logins);
  counter('tessera_url_passwords_total', 'Logins by GET with a password in the URL.', urlPasswords);
  counter('tessera_passwords_refused_total', 'Refused passwords, of logins and of Basic.', refusedPasswords);
  const dropped = 'Connections that were closed because a limit was reached, by the limit.';
  counterBy('reason', 'tessera_connections_dropped_total', dropped, droppedConnections);
  const lines = 'Lines of the log that standard output did not take.';
  counter('tessera_log_lines_dropped_total', lines, droppedLines);
}

function addGauges(register: Registry, { liveTickets, hashesWaiting }: RegistrySources): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [register],
      collect() {
        this.set(read());
      },
    });
  gauge('tessera_live_tickets', 'Live tickets of the whole store, as they were counted last.', liveTickets);
  gauge('tessera_hash_queue', 'Password hashes waiting for their turn.', hashesWaiting);
}
