import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { HEAD, rowOf, STEPS } from '../../bench/first-hour/steps.ts';
import { choose, type Group } from './groups.ts';
import { startsPrograms } from './programs.ts';
import { FINISHED, type TestOutcome } from './reporter.ts';

/** Milliseconds that one test may take. */
const DEADLINE = 300_000;

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const FLAGS = [
  // What each test leaves is garbage soon: with more room for it, a group takes a seventh less time.
  ...['--min-semi-space-size=32', '--max-semi-space-size=64'],
  '--test',
  '--test-isolation=none',
  // Counts the hashes of the tests that are about their number: it has to be there before anything that hashes.
  `--import=${pathOf('../../test/core/identity/counted-hashes.ts')}`,
  `--test-timeout=${DEADLINE}`,
  `--test-reporter=${pathOf('./reporter.ts')}`,
  '--test-reporter-destination=stdout',
];

/** A file that is named itself may start programs. */
const flagsFor = (files: readonly string[]) =>
  files.some(startsPrograms) ? FLAGS : [...FLAGS, `--import=${pathOf('./no-programs.ts')}`];

/** Runs the tests of a group in a process of their own. Gives how each ended; a process that fails counts as one more. */
async function run({ files }: Group): Promise<TestOutcome[]> {
  const outcomes: TestOutcome[] = [];
  const [first = '', ...others] = files;
  const child = fork(first, others, { execArgv: flagsFor(files), silent: true });
  let isFinished = false;
  child.on('message', (message: TestOutcome | typeof FINISHED) => {
    if (message === FINISHED) isFinished = true;
    else outcomes.push(message);
  });
  const said = Promise.all(
    [child.stdout, child.stderr].map((stream) => text(stream as NodeJS.ReadableStream)),
  );
  const [[code, signal], output] = await Promise.all([once(child, 'exit'), said]);
  const hasFailed = outcomes.some(({ outcome }) => outcome === 'failed');
  if (!isFinished || (code !== 0 && !hasFailed))
    outcomes.push({
      ...{ outcome: 'failed', name: `the process ended with ${signal ?? code}`, place: files.join(' ') },
      ...{ milliseconds: 0, isPart: false, cpu: 0, reason: output.join('').trim() },
    });
  return outcomes;
}

const of = (outcomes: readonly TestOutcome[], wanted: TestOutcome['outcome']) =>
  outcomes.filter(({ outcome }) => outcome === wanted);
const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;

/** Tells how far the run is: on a terminal in one line that changes, elsewhere in a line for each group. */
class Progress {
  readonly #groups: number;
  #ended = 0;
  #tests = 0;

  constructor(groups: number) {
    this.#groups = groups;
  }

  /** Counts a group that has ended, and prints its failures. */
  add(name: string, outcomes: readonly TestOutcome[]): void {
    const failed = of(outcomes, 'failed');
    this.#ended += 1;
    this.#tests += outcomes.length;
    const mark = failed.length === 0 ? '✔' : '✖';
    const line = `${mark} ${this.#ended}/${this.#groups} ${name}, ${this.#tests} tests so far`;
    const { isTTY } = process.stdout;
    process.stdout.write(
      isTTY && failed.length === 0 ? `\r\x1b[K${line}` : `${isTTY ? '\r\x1b[K' : ''}${line}\n`,
    );
    for (const { name: test, place, reason } of failed) console.log(`\n✖ ${test} (${place})\n${reason}\n`);
    if (isTTY && this.#ended === this.#groups) process.stdout.write('\r\x1b[K');
  }
}

/** Runs the groups, as many at once as there are cores and two more, since tests wait for other programs. */
async function runAll(groups: readonly Group[]): Promise<TestOutcome[]> {
  const waiting = [...groups];
  const progress = new Progress(groups.length);
  const outcomes: TestOutcome[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const ended = await run(next);
      progress.add(next.name, ended);
      outcomes.push(...ended);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() + 2 }, worker));
  return outcomes;
}

/** Prints the tests that took longest, with the CPU time of their own process. */
function tellSlowest(outcomes: readonly TestOutcome[]): void {
  const slowest = outcomes.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 30);
  for (const { cpu, milliseconds, place, name } of slowest)
    console.log(`${seconds(milliseconds)}, ${seconds(cpu)} of CPU: ${name} (${place})`);
}

/** Prints what failed once more, what was skipped and why, what was left to a run of all, and one line over the run. */
function tellAll(outcomes: readonly TestOutcome[], left: readonly string[], milliseconds: number): void {
  for (const { name, place } of of(outcomes, 'failed')) console.log(`✖ ${name} (${place})`);
  const skipped = of(outcomes, 'skipped');
  for (const [reason, { length }] of Map.groupBy(skipped, ({ reason }) => reason))
    console.log(`${length} skipped: ${reason}`);
  if (left.length > 0)
    console.log(
      `${left.length} files that start programs or are slow did not run: npm run test:all runs them`,
    );
  const counts = (['passed', 'failed', 'skipped'] as const).map(
    (wanted) => `${of(outcomes, wanted).length} ${wanted}`,
  );
  console.log(`${outcomes.length} tests in ${seconds(milliseconds)}: ${counts.join(', ')}`);
}

/**
 * Prints the part of the table of `npm run first-hour` that is tests, from the times that they took here, beside others. Prints
 * nothing unless all of them ran.
 */
function tellFirstHour(outcomes: readonly TestOutcome[]): void {
  const rows = STEPS.flatMap((step) => {
    if (!('test' in step)) return [];
    const isOwn = ({ name, place }: TestOutcome) =>
      step.named === undefined ? place.startsWith(`${step.test}:`) : name === step.named;
    const own = outcomes.filter((outcome) => !outcome.isPart && isOwn(outcome));
    const hasRun = own.length > 0 && own.every(({ outcome }) => outcome === 'passed');
    return [
      hasRun
        ? rowOf(
            step,
            own.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
          )
        : undefined,
    ];
  });
  if (!rows.includes(undefined)) process.stdout.write(HEAD + rows.join(''));
}

const boolean = { type: 'boolean', default: false } as const;
const { values, positionals } = parseArgs({
  options: { all: boolean, slowest: boolean },
  allowPositionals: true,
});
const began = performance.now();
const { groups, left } = choose(values.all, positionals);
const outcomes = await runAll(groups);
if (values.slowest) tellSlowest(outcomes);
tellFirstHour(outcomes);
tellAll(outcomes, left, performance.now() - began);
process.exitCode = outcomes.length > 0 && of(outcomes, 'failed').length === 0 ? 0 : 1;
