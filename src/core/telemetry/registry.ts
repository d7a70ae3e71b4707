import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { emptiedCaches } from '../emptied-caches.ts';
import { invariantViolations } from '../invariants.ts';
import { VERSION } from '../version.ts';
import { droppedLines, loggedFaults } from './log.ts';

/** Numbers that others know. They are read when the metrics are asked for. */
export interface MetricSources {
  readonly liveTickets: () => number;
  readonly hashesWaiting: () => number;
  /** The clock by which tickets expire, in epoch milliseconds. */
  readonly clock: () => number;
  /** When the sweeper began or last went on, in epoch milliseconds; undefined where another process sweeps. */
  readonly sweptAt?: (() => number) | undefined;
  /** When the certificate ends, in epoch milliseconds; undefined if the public port speaks plain HTTP. */
  readonly certificateEnd?: (() => number) | undefined;
  /** The figures of capabilities. */
  readonly figures?: readonly MetricFigure[];
}

/** A figure of a capability, for metrics: its samples are read when the metrics are asked for. */
export interface MetricFigure {
  readonly type: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  read(): Iterable<readonly [value: number, labels?: Readonly<Record<string, string>>]>;
}

/** Everything that the registry reads when it is asked for the metrics. */
interface RegistrySources extends MetricSources {
  /** How many logins had each outcome. */
  readonly logins: () => ReadonlyMap<string, number>;
  readonly urlPasswords: () => number;
  readonly refusedPasswords: () => number;
  readonly lockOuts: () => number;
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
  for (const figure of sources.figures ?? []) addFigure(register, figure);
  return register;
}

function addCounters(
  register: Registry,
  { logins, urlPasswords, refusedPasswords, lockOuts, droppedConnections }: RegistrySources,
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
  counter('tessera_lock_outs_total', 'Names that were locked out by failures.', lockOuts);
  counter('tessera_faults_total', 'Faults in the log.', loggedFaults);
  const violations = 'Answers of the store that contradict themselves. Such requests are answered 500.';
  counterBy('invariant', 'tessera_invariant_violations_total', violations, invariantViolations);
  const emptied = 'How often what the instance had read was forgotten as a whole, by the reason.';
  counterBy('reason', 'tessera_cache_emptied_total', emptied, emptiedCaches);
  const dropped = 'Connections that were closed because a limit was reached, by the limit.';
  counterBy('reason', 'tessera_connections_dropped_total', dropped, droppedConnections);
  const lines = 'Lines of the log that standard output did not take.';
  counter('tessera_log_lines_dropped_total', lines, droppedLines);
}

function addGauges(register: Registry, sources: RegistrySources): void {
  const { liveTickets, hashesWaiting, clock, sweptAt, certificateEnd } = sources;
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
  gauge('tessera_clock_seconds', 'The clock by which tickets expire.', inSeconds(clock));
  const swept = 'When the sweeper last went on.';
  if (sweptAt) gauge('tessera_sweep_timestamp_seconds', swept, inSeconds(sweptAt));
  const ends = 'When the certificate of the public port ends.';
  if (certificateEnd) gauge('tessera_certificate_end_timestamp_seconds', ends, inSeconds(certificateEnd));
}

const inSeconds = (milliseconds: () => number) => () => milliseconds() / 1_000;

function addFigure(register: Registry, { type, name, help, labels = [], read }: MetricFigure): void {
  const described = { name, help, labelNames: [...labels], registers: [register] };
  if (type === 'gauge')
    new Gauge({
      ...described,
      collect() {
        this.reset();
        for (const [value, values = {}] of read()) this.set(values, value);
      },
    });
  else
    new Counter({
      ...described,
      collect() {
        this.reset();
        for (const [value, values = {}] of read()) this.inc(values, value);
      },
    });
}
