import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { bothPaths } from './both-paths.ts';
import type { Fuzzer } from './fuzzer.ts';
import { httpReaders } from './http-readers.ts';
import { otherReaders } from './other-readers.ts';
import { startFuzzedService } from './service.ts';

const USAGE = `npm run fuzz -- SECONDS [--seed NUMBER] [--only NAME [--path PATH]]
Looks for an input that a reader handles wrongly, and prints the smallest one that it finds and how to repeat it.
--seed  begins with the same inputs as a run that printed this number
--only  runs one fuzzer: the name of one shown in a run
--path  goes to the one input that a run printed this for`;

class WrongUsage extends Error {
  override name = 'WrongUsage';
}

interface Options {
  readonly seconds: number;
  readonly seed: number;
  readonly only: string | undefined;
  readonly path: string | undefined;
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number)) throw new WrongUsage(`${name} takes a whole number, and "${text}" is none`);
  return number;
}

/** Reads the command line. Throws {@link WrongUsage}. */
function readOptions(words: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = { seed: text, only: text, path: text };
  try {
    const { values, positionals } = parseArgs({ args: [...words], allowPositionals: true, options });
    const [seconds = '', ...more] = positionals;
    if (more.length > 0) throw new WrongUsage('SECONDS is one number');
    return {
      seconds: wholeNumber('SECONDS', seconds),
      seed: values.seed === undefined ? Date.now() % 2 ** 31 : wholeNumber('--seed', values.seed),
      only: values.only,
      path: values.path,
    };
  } catch (error) {
    throw error instanceof WrongUsage ? error : new WrongUsage((error as Error).message);
  }
}

/** The number of inputs for each seed. */
const BATCH = 100;
/** Milliseconds for a batch, including the search for a smaller failing input. */
const MOST_FOR_BATCH = 120_000;

/** Runs one fuzzer for its time. Returns whether it found no fault. */
async function run({ name, property }: Fuzzer, seconds: number, { seed, path }: Options): Promise<boolean> {
  const until = performance.now() + seconds * 1_000;
  let inputs = 0;
  for (let batch = seed; inputs === 0 || (performance.now() < until && path === undefined); batch += 1) {
    const found = await fc.check(property, {
      ...(path !== undefined && { path }),
      ...{
        seed: batch,
        numRuns: BATCH,
        interruptAfterTimeLimit: MOST_FOR_BATCH,
        markInterruptAsFailure: true,
      },
    });
    inputs += found.numRuns;
    if (!found.failed) continue;
    const { counterexample, counterexamplePath, errorInstance } = found;
    const fault = errorInstance instanceof Error ? errorInstance.stack : 'it takes too long';
    console.log(`${name}: FAILED with\n${fc.stringify(counterexample)}\n${fault}`);
    console.log(`repeat: npm run fuzz -- 60 --only ${name} --seed ${batch} --path ${counterexamplePath}`);
    return false;
  }
  console.log(`${name}: ${inputs} inputs`);
  return true;
}

async function fuzz(options: Options): Promise<boolean> {
  await using service = await startFuzzedService();
  const all = [bothPaths(service.url, service.ticket), ...httpReaders, ...otherReaders];
  const chosen = all.filter(({ name }) => options.only === undefined || name === options.only);
  if (chosen.length === 0) throw new WrongUsage(`there is no fuzzer "${options.only}"`);
  const weights = chosen.reduce((sum, { weight }) => sum + weight, 0);
  console.log(`seed ${options.seed}`);
  let isClean = true;
  for (const fuzzer of chosen) {
    if (!(await run(fuzzer, (options.seconds * fuzzer.weight) / weights, options))) isClean = false;
  }
  for (const fault of service.faults) console.log(`a fault in the log of the service: ${fault}`);
  return isClean && service.faults.length === 0;
}

try {
  process.exitCode = (await fuzz(readOptions(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
