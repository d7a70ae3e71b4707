import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
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
  /** The directory, if one is set. */
  readonly directory?: DirectorySource | undefined;
  /** The receivers of webhooks, if this process delivers to any. */
  readonly webhooks?: () => readonly WebhookCounts[];
}

/** The figures of a directory, for metrics. */
interface DirectorySource {
  /** How many requests had each outcome. */
  readonly requests: ReadonlyMap<string, number>;
  /** Whether no server of it answered when it was asked last. */
  isSilent(): boolean;
}

/** The figures of one receiver of webhooks, for metrics. */
interface WebhookCounts {
  readonly id: string;
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
  readonly dead: number;
  /** Seconds. */
  readonly oldest: number;
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
  addWebhooks(register, sources);
  return register;
}

function addCounters(
  register: Registry,
  { logins, urlPasswords, refusedPasswords, lockOuts, droppedConnections, directory }: RegistrySources,
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
  const asked = 'Requests to the directory, by outcome; unavailable: no server could answer.';
  if (directory) counterBy('outcome', 'tessera_directory_requests_total', asked, () => directory.requests);
  const dropped = 'Connections that were closed because a limit was reached, by the limit.';
  counterBy('reason', 'tessera_connections_dropped_total', dropped, droppedConnections);
  const lines = 'Lines of the log that standard output did not take.';
  counter('tessera_log_lines_dropped_total', lines, droppedLines);
}

function addGauges(register: Registry, sources: RegistrySources): void {
  const { liveTickets, hashesWaiting, clock, sweptAt, certificateEnd, directory } = sources;
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
  const silent = 'Whether no server of the directory answered when it was asked last: 1, otherwise 0.';
  if (directory) gauge('tessera_directory_silent', silent, () => Number(directory.isSilent()));
}

const inSeconds = (milliseconds: () => number) => () => milliseconds() / 1_000;

function addWebhooks(register: Registry, { webhooks }: RegistrySources): void {
  if (webhooks === undefined) return;
  const shared = { registers: [register] };
  new Counter({
    ...shared,
    name: 'tessera_webhook_attempts_total',
    labelNames: ['receiver', 'outcome'],
    help: 'Attempts to deliver an event to a receiver of webhooks, by outcome.',
    collect() {
      this.reset();
      for (const { id: receiver, delivered, failed } of webhooks()) {
        this.inc({ receiver, outcome: 'delivered' }, delivered);
        this.inc({ receiver, outcome: 'failed' }, failed);
      }
    },
  });
  const gauge = (name: string, help: string, read: (counts: WebhookCounts) => number) =>
    new Gauge({
      ...shared,
      name,
      help,
      labelNames: ['receiver'],
      collect() {
        this.reset();
        for (const counts of webhooks()) this.set({ receiver: counts.id }, read(counts));
      },
    });
  gauge('tessera_webhook_waiting', 'Deliveries that wait, of all instances.', ({ waiting }) => waiting);
  gauge('tessera_webhook_oldest_seconds', 'Age of the oldest event that waits.', ({ oldest }) => oldest);
  gauge('tessera_webhook_dead', 'Deliveries that were given up, of all instances.', ({ dead }) => dead);
}
