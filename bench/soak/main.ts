import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { WrongUsage, wholeNumber } from '../options.ts';
import { type Machine, machine } from '../report/machine.ts';
import { measuredOn, writePart } from '../report/page.ts';
import { openFiles, residentMiB } from '../servers/processes.ts';
import { inCheckout } from '../servers/servers.ts';
import { readCollections } from './collections.ts';
import type { Errands } from './errands.ts';
import { type AfterCollection, type Growth, type Sample, type Trend, trend } from './memory.ts';
import { Mix } from './mix.ts';
import { plot } from './plot.ts';
import { embedded, onPostgres, type Service } from './service.ts';

/** The options of a soak. */
interface SoakOptions {
  readonly minutes: number;
  /** Requests a second. */
  readonly rate: number;
  /** Instances; several are on PostgreSQL, with everything switched on. */
  readonly instances: number;
  /** Write figures and plot into `docs/` as well. */
  readonly report: boolean;
  /** A file for the figures with every sample, as JSON. */
  readonly json: string | undefined;
}

/** Reads the command line. Throws {@link WrongUsage}. */
function readSoakOptions(words: readonly string[]): SoakOptions {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        minutes: { type: 'string', default: '30' },
        rate: { type: 'string', default: '600' },
        instances: { type: 'string', default: '1' },
        report: { type: 'boolean', default: false },
        json: { type: 'string' },
      },
    });
    const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
    if (!(minutes >= 1 && minutes <= 24 * 60))
      throw new WrongUsage(`--minutes takes a number from 1 to 1440, and "${values.minutes}" is none`);
    if (!(Number.isInteger(rate) && rate >= 1 && rate <= 20_000))
      throw new WrongUsage(`--rate takes a whole number from 1 to 20000, and "${values.rate}" is none`);
    const instances = wholeNumber('instances', values.instances, 1);
    return { minutes, rate, instances, report: values.report, json: values.json };
  } catch (error) {
    throw error instanceof WrongUsage ? error : new WrongUsage((error as Error).message);
  }
}

const USAGE = `npm run soak -- [--minutes 30] [--rate 600] [--instances 1] [--report] [--json FILE]
--instances 2 runs them on a PostgreSQL of their own, with console, streams, webhooks, mail, SCIM and an application
--report writes figures and plot into docs/performance.md as well, of several instances into docs/faults.md`;
/** The number of live tickets. */
const TICKETS = 100;
/** Concurrent logins at the start: more of them from one address are refused. */
const LOGINS_AT_ONCE = 20;
/** The most requests under way: as many end the run, with what was found until then, because the service or the machine falls behind. */
const UNDER_WAY = 1_000;
/** Seconds between two counts of the rows of all tables. */
const COUNT_EVERY = 60;
/** Milliseconds after the load in which idle connections are closed. */
const REST = 20_000;
/** Tables with fewer rows at the end are not shown. */
const FEW_ROWS = 50;

/** What an instance used, once a second. */
interface Used {
  readonly memory: Sample[];
  /** Open file descriptors. */
  readonly files: Sample[];
}

/** What is open a while after the last request. */
interface AtRest {
  /** File descriptors of each instance. */
  readonly files: readonly number[];
  readonly connections: number | undefined;
}

/** The result of a soak. */
interface Found {
  /** For each instance in its order. */
  readonly used: readonly Used[];
  readonly collections: readonly (readonly AfterCollection[])[];
  /** Undefined where there were too few collections. */
  readonly trends: readonly (Trend | undefined)[];
  readonly connections: readonly Sample[];
  readonly rows: readonly Readonly<Record<string, number>>[];
  readonly mix: Mix;
  readonly service: Service;
  readonly seconds: number;
  readonly atRest: AtRest;
}

/** Reads what the service uses, until it is stopped. */
class Watch {
  readonly used: readonly Used[];
  readonly connections: Sample[] = [];
  readonly rows: Record<string, number>[] = [];
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
    this.used = service.instances.map(() => ({ memory: [], files: [] }));
  }

  /** Looks once, `at` seconds after the begin. */
  async look(at: number): Promise<void> {
    const { instances, database } = this.#service;
    for (const [number, { pid }] of instances.entries()) {
      this.used[number]?.memory.push({ at, value: residentMiB(pid) });
      this.used[number]?.files.push({ at, value: openFiles(pid) });
    }
    if (database === undefined) return;
    this.connections.push({ at, value: await database.connections() });
    if (at >= this.rows.length * COUNT_EVERY) this.rows.push(await database.rows());
  }

  /** Counts all rows a last time, closes the load's connections, and looks what is open when clients and service had time to close theirs. */
  async rest(close: () => void): Promise<AtRest> {
    const { instances, database } = this.#service;
    if (database !== undefined) this.rows.push(await database.rows());
    close();
    await pause(REST);
    return {
      files: instances.map(({ pid }) => openFiles(pid)),
      connections: await database?.connections(),
    };
  }
}

/** Sends requests at a fixed rate, and looks at the service each second. */
async function soak(service: Service, { minutes, rate }: SoakOptions, mix: Mix): Promise<Found> {
  // Several at once, so that every hashing thread has its memory before the watch begins.
  for (let tickets = 0; tickets < TICKETS; tickets += LOGINS_AT_ONCE)
    await Promise.all(Array.from({ length: LOGINS_AT_ONCE }, () => mix.logIn()));
  const underWay = new Set<Promise<void>>();
  const [began, beganAt] = [performance.now(), Date.now()];
  const elapsed = () => (performance.now() - began) / 1_000;
  const watch = new Watch(service);
  let look = watch.look(0);
  service.errands?.start();
  for (let [sent, looked] = [0, 1]; elapsed() < minutes * 60 && underWay.size < UNDER_WAY; ) {
    for (; sent < elapsed() * rate; sent += 1) {
      if (underWay.size >= UNDER_WAY) break;
      const asked = mix.next().finally(() => underWay.delete(asked));
      underWay.add(asked);
    }
    if (elapsed() >= looked) {
      look = look.then(() => watch.look(elapsed()));
      looked += 1;
    }
    await pause(2);
  }
  const isBehind = underWay.size >= UNDER_WAY;
  await Promise.all([...underWay, look, service.errands?.stop()]);
  const seconds = elapsed();
  if (isBehind) mix.fault(`the run ended early: ${UNDER_WAY} requests were under way, so lower the --rate`);
  const atRest = await watch.rest(() => mix.close());
  const collections = service.instances.map(({ file }) => readCollections(file, beganAt));
  const trends = collections.map((each) => trend(each, seconds));
  return { ...{ collections, trends, mix, service, seconds, atRest }, ...watch };
}

function kept(trend: Trend | undefined): string {
  if (trend === undefined) return 'too few full collections tell what is kept: NOT JUDGED, let it run longer';
  const grown = ({ MiB, slope }: Growth) => `${MiB.toFixed(1)} MiB (${slope.toFixed(1)} an hour)`;
  const { heap, beside, flat } = trend;
  return `what full collections leave grew in the last two thirds by ${grown(heap)} in the heap and ${grown(beside)} beside it: ${flat ? 'flat' : 'NOT FLAT'}`;
}

const ends = (samples: readonly Sample[], digits = 0) => {
  const values = samples.map(({ value }) => value.toFixed(digits));
  return `${values[0]} at the start, ${values.at(-1)} at the end, ${Math.max(...values.map(Number))} at most`;
};

/** What one instance used, in sentences. */
function usedBy({ used, collections, trends, atRest }: Found, number: number): string[] {
  const { memory = [], files = [] } = used[number] ?? {};
  const heaps = (collections[number] ?? []).map(({ heap }) => heap);
  return [
    `memory in MiB: ${ends(memory)}; file descriptors: ${ends(files)}, ${atRest.files[number]} at rest after it`,
    `what JavaScript keeps, by ${heaps.length} full collections: ${heaps[0]?.toFixed(1)} MiB after the first, ${heaps.at(-1)?.toFixed(1)} MiB after the last`,
    kept(trends[number]),
  ];
}

/** Tables by their rows after a third, after two thirds and at the end; those of few rows are left out. */
function grown({ rows }: Found): string[] {
  const at = (part: number) => rows[Math.floor((rows.length - 1) * part)] ?? {};
  const last = at(1);
  const tables = Object.keys(last).filter((name) => (last[name] ?? 0) >= FEW_ROWS);
  const counted = tables.map(
    (name) => `${name} ${[0, 1 / 3, 2 / 3, 1].map((part) => at(part)[name] ?? 0).join(', ')}`,
  );
  return counted.length === 0
    ? []
    : [`rows at the start, after a third, two thirds, and at the end: ${counted.join('; ')}`];
}

const wrong = (name: string, { faulty, faults }: { faulty: number; faults: readonly string[] }) =>
  `${name}: ${faulty}${faulty === 0 ? '' : ` (${faults.join('; ')})`}`;

/** The result in sentences. */
function sentences(found: Found): string[] {
  const { mix, seconds, service, connections } = found;
  const { instances, errands } = service;
  const counts = Object.entries(mix.counts).map(([kind, count]) => `${count} ${kind}s`);
  const own = instances.flatMap((_, number) => {
    const name = instances.length === 1 ? '' : `instance ${number + 1}: `;
    return usedBy(found, number).map((line) => name + line);
  });
  const rounds = Object.entries(errands?.counts ?? {}).map(([name, count]) => `${count} × ${name}`);
  return [
    `${Math.round(seconds)} s: ${counts.join(', ')}`,
    ...(errands === undefined ? [] : [`beside them: ${rounds.join(', ')}`]),
    wrong('errors', mix),
    ...(errands === undefined ? [] : [wrong('errors beside them', errands)]),
    ...own,
    ...(connections.length === 0
      ? []
      : [`connections of the database: ${ends(connections)}, ${found.atRest.connections} at rest after it`]),
    ...grown(found),
    ...service.notes(),
  ];
}

function tell(options: SoakOptions, at: Date, on: Machine, found: Found): void {
  const several = options.instances > 1;
  const above = `${measuredOn(at, on)}; ${options.rate} requests a second${several ? ` and what people do, ${options.instances} instances` : ''}`;
  const said = sentences(found);
  process.stdout.write(`${[above, ...said].join('\n')}\n`);
  if (options.report) {
    const name = several ? 'soak-memory.svg' : 'soak.svg';
    writeFileSync(inCheckout(`docs/${name}`), plot(found.used.map(({ memory }) => memory)));
    const list = said.map((line) => `- ${line}`).join('\n');
    writePart(several ? 'soak-instances' : 'soak', `${above}\n\n${list}\n\n![Memory over time](${name})`);
  }
  if (options.json !== undefined) {
    const { mix, service, ...figures } = found;
    const all = {
      at,
      machine: on,
      options,
      ...figures,
      mix: faultsOf(mix),
      errands: service.errands && faultsOf(service.errands),
    };
    writeFileSync(options.json, `${JSON.stringify(all, null, 2)}\n`);
  }
}

const faultsOf = ({ counts, faulty, faults }: Pick<Mix, 'counts' | 'faulty' | 'faults'> | Errands) => ({
  counts,
  faulty,
  faults,
});

async function run(words: readonly string[], folder: string): Promise<number> {
  const options = readSoakOptions(words);
  const [at, on] = [new Date(), machine()];
  await using service = await (options.instances === 1
    ? embedded(folder)
    : onPostgres(folder, options.instances));
  const mix = new Mix(service.instances.map(({ url }) => url));
  try {
    process.stderr.write(`${options.minutes} minutes of ${options.rate} requests a second\n`);
    const found = await soak(service, options, mix);
    tell(options, at, on, found);
    const faulty = mix.faulty + (service.errands?.faulty ?? 0);
    return faulty === 0 && found.trends.every((each) => each?.flat === true) ? 0 : 1;
  } finally {
    mix.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tessera-soak-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
try {
  process.exitCode = await run(process.argv.slice(2), folder);
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error;
  process.stderr.write(`${error.message}\n${USAGE}\n`);
  process.exitCode = 2;
}
