import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { WrongUsage } from '../options.ts';
import { type Machine, machine } from '../report/machine.ts';
import { measuredOn, writePart } from '../report/page.ts';
import { seed } from '../seeding/tickets.ts';
import { residentMiB } from '../servers/processes.ts';
import { inCheckout, type Server, startTessera } from '../servers/servers.ts';
import { collectionSettings, readCollections } from './collections.ts';
import { type AfterCollection, type Growth, type Sample, type Trend, trend } from './memory.ts';
import { Mix, USERS } from './mix.ts';
import { plot } from './plot.ts';

/** The options of a soak. */
interface SoakOptions {
  readonly minutes: number;
  /** Requests a second. */
  readonly rate: number;
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
        report: { type: 'boolean', default: false },
        json: { type: 'string' },
      },
    });
    const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
    if (!(minutes >= 1 && minutes <= 24 * 60))
      throw new WrongUsage(`--minutes takes a number from 1 to 1440, and "${values.minutes}" is none`);
    if (!(Number.isInteger(rate) && rate >= 1 && rate <= 20_000))
      throw new WrongUsage(`--rate takes a whole number from 1 to 20000, and "${values.rate}" is none`);
    return { minutes, rate, report: values.report, json: values.json };
  } catch (error) {
    throw error instanceof WrongUsage ? error : new WrongUsage((error as Error).message);
  }
}

const USAGE = `npm run soak -- [--minutes 30] [--rate 600] [--report] [--json FILE]
--report writes figures and plot into docs/performance.md as well`;
/** The number of live tickets. */
const TICKETS = 100;
/** Concurrent logins at the start: more of them from one address are refused. */
const LOGINS_AT_ONCE = 20;
/** The most requests under way: more of them end the run, because the service falls behind. */
const UNDER_WAY = 1_000;
const PLOT = 'soak.svg';

/** The result of a soak. */
interface Found {
  readonly samples: readonly Sample[];
  readonly collections: readonly AfterCollection[];
  /** Undefined when there were too few collections. */
  readonly trend: Trend | undefined;
  readonly mix: Mix;
  readonly seconds: number;
}

/** A service that writes its memory after each full collection into `file`. */
interface Soaked extends Server {
  readonly file: string;
}

/** Sends requests at a fixed rate, and reads the memory of the service each second. */
async function soak(server: Soaked, { minutes, rate }: SoakOptions, mix: Mix): Promise<Found> {
  // Several at once, so that every hashing thread has its memory before the watch begins.
  for (let tickets = 0; tickets < TICKETS; tickets += LOGINS_AT_ONCE)
    await Promise.all(Array.from({ length: LOGINS_AT_ONCE }, () => mix.logIn()));
  const samples: Sample[] = [];
  const underWay = new Set<Promise<void>>();
  const [began, beganAt] = [performance.now(), Date.now()];
  const elapsed = () => (performance.now() - began) / 1_000;
  for (let sent = 0; elapsed() < minutes * 60; ) {
    for (; sent < elapsed() * rate; sent += 1) {
      if (underWay.size >= UNDER_WAY)
        throw new Error(`${UNDER_WAY} requests have no answer: lower the --rate`);
      const asked = mix.next().finally(() => underWay.delete(asked));
      underWay.add(asked);
    }
    if (elapsed() >= samples.length) samples.push({ at: elapsed(), MiB: residentMiB(server.pid) });
    await pause(2);
  }
  await Promise.all(underWay);
  const [collections, seconds] = [readCollections(server.file, beganAt), elapsed()];
  return { samples, collections, trend: trend(collections, seconds), mix, seconds };
}

function kept(trend: Trend | undefined): string {
  if (trend === undefined) return 'too few full collections tell what is kept: NOT JUDGED, let it run longer';
  const grown = ({ MiB, slope }: Growth) => `${MiB.toFixed(1)} MiB (${slope.toFixed(1)} an hour)`;
  const { heap, beside, flat } = trend;
  return `what full collections leave grew in the last two thirds by ${grown(heap)} in the heap and ${grown(beside)} beside it: ${flat ? 'flat' : 'NOT FLAT'}`;
}

/** The result in sentences. */
function sentences({ trend, collections, mix, samples, seconds }: Found): string[] {
  const counts = Object.entries(mix.counts).map(([kind, count]) => `${count} ${kind}s`);
  const memory = samples.map(({ MiB }) => MiB);
  const heaps = collections.map(({ heap }) => heap);
  return [
    `${Math.round(seconds)} s: ${counts.join(', ')}`,
    `errors: ${mix.faulty}${mix.faulty === 0 ? '' : ` (${mix.faults.join('; ')})`}`,
    `memory: ${memory[0]?.toFixed(0)} MiB at the start, ${memory.at(-1)?.toFixed(0)} MiB at the end, ${Math.max(...memory).toFixed(0)} MiB at most`,
    `what JavaScript keeps, by ${collections.length} full collections: ${heaps[0]?.toFixed(1)} MiB after the first, ${heaps.at(-1)?.toFixed(1)} MiB after the last`,
    kept(trend),
  ];
}

function tell(options: SoakOptions, at: Date, on: Machine, found: Found): void {
  const above = `${measuredOn(at, on)}; ${options.rate} requests a second`;
  const said = sentences(found);
  process.stdout.write(`${[above, ...said].join('\n')}\n`);
  if (options.report) {
    writeFileSync(inCheckout(`docs/${PLOT}`), plot(found.samples));
    const list = said.map((line) => `- ${line}`).join('\n');
    writePart('soak', `${above}\n\n${list}\n\n![Memory over time](${PLOT})`);
  }
  if (options.json !== undefined) {
    const { mix, ...figures } = found;
    const { counts, faulty, faults } = mix;
    writeFileSync(
      options.json,
      `${JSON.stringify({ at, machine: on, options, counts, faulty, faults, ...figures }, null, 2)}\n`,
    );
  }
}

async function run(words: readonly string[], folder: string): Promise<number> {
  const options = readSoakOptions(words);
  const [at, on] = [new Date(), machine()];
  const data = join(folder, 'data');
  await seed(data, 0, { users: USERS });
  const file = join(folder, 'collections');
  await using server = await startTessera(data, collectionSettings(file));
  const mix = new Mix(server.url);
  try {
    process.stderr.write(`${options.minutes} minutes of ${options.rate} requests a second\n`);
    const found = await soak({ ...server, file }, options, mix);
    tell(options, at, on, found);
    return found.mix.faulty === 0 && found.trend?.flat === true ? 0 : 1;
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
