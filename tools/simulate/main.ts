import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pictureOf } from '../../test/histories/picture.ts';
import { PLACES, type PlaceName } from './places.ts';
import { PLANTED } from './planted.ts';
import { type Finding, Simulation } from './simulate.ts';

const names = (of: object) => Object.keys(of).join('|');
const USAGE = `npm run simulate -- [--seed NUMBER] [--minutes NUMBER | --seeds NUMBER] [--store ${names(PLACES)}] [--plant FAULT] [--tries NUMBER]
Has several instances in one process do what clients, administrators and faults choose by seeds, and searches for an answer that no
order of events explains. Prints the shortest list of commands that it finds for one, and how to repeat it.
--seed     the first seed; by default another one each time
--minutes  goes on for so long with the seeds after it; by default one
--seeds    takes so many seeds instead
--store    memory by default: there every step is the same again for the same seed. On the others the schedule is
--plant    plants a fault that has to be found: ${names(PLANTED)}
--tries    so many runs search for a shorter list that fails; by default 2000`;

/** The time of this machine: a simulation on memory replaces that of the process. */
const realTime = performance.now.bind(performance);

class WrongUsage extends Error {
  override name = 'WrongUsage';
}

interface Options {
  readonly seed: number;
  readonly minutes: number;
  readonly seeds: number | undefined;
  readonly store: PlaceName;
  readonly plant: string | undefined;
  readonly tries: number;
}

function numberIn(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(number >= 0) || text === '') throw new WrongUsage(`${name} takes a number, and "${text}" is none`);
  return number;
}

function oneOf(name: string, text: string, of: object): string {
  if (!Object.hasOwn(of, text)) throw new WrongUsage(`${name} takes ${names(of)}, and "${text}" is none`);
  return text;
}

/** Reads the command line. Throws {@link WrongUsage}. */
function readOptions(words: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = { seed: text, minutes: text, seeds: text, store: text, plant: text, tries: text };
  try {
    const { values } = parseArgs({ args: [...words], options });
    return {
      seed: Math.trunc(numberIn('--seed', values.seed) ?? Date.now() % 2 ** 31),
      minutes: numberIn('--minutes', values.minutes) ?? 1,
      seeds: numberIn('--seeds', values.seeds),
      store: oneOf('--store', values.store ?? 'memory', PLACES) as PlaceName,
      plant: values.plant === undefined ? undefined : oneOf('--plant', values.plant, PLANTED),
      tries: numberIn('--tries', values.tries) ?? 2_000,
    };
  } catch (error) {
    throw error instanceof WrongUsage ? error : new WrongUsage((error as Error).message);
  }
}

/** Prints what was found: the commands, the operations that no order explains, their picture, and how to repeat it. */
function tell({ commands, fault, counterexample }: Finding, seed: number, { store, plant }: Options): void {
  console.log(`FAILED with ${commands.length} commands:`);
  for (const command of commands) console.log(`  ${command}`);
  console.log(fault);
  if (counterexample !== undefined) {
    const file = join(tmpdir(), `tessera-simulation-${store}-${seed}.svg`);
    writeFileSync(file, pictureOf(counterexample));
    console.log(`picture: ${file}`);
  }
  const planted = plant === undefined ? '' : ` --plant ${plant}`;
  console.log(`repeat: npm run simulate -- --store ${store} --seed ${seed} --seeds 1${planted}`);
}

const count = (number: number) => number.toLocaleString('en');

/** Runs seed after seed. Returns whether nothing was found. */
async function simulate(options: Options): Promise<boolean> {
  const { seed: first, minutes, seeds, store, plant, tries } = options;
  await using simulation = await Simulation.open(store, plant === undefined ? undefined : PLANTED[plant]?.());
  console.log(`seed ${first} on ${store}`);
  const end = realTime() + minutes * 60_000;
  let finding: Finding | undefined;
  let seed = first;
  while (finding === undefined && (seeds === undefined ? realTime() < end : seed < first + seeds)) {
    finding = await simulation.run(seed, tries);
    if (finding !== undefined) tell(finding, seed, options);
    seed += 1;
  }
  const { runs, steps, operations, answers, faults, crashes, digest } = simulation.tally;
  console.log(
    `${count(seed - first)} seeds, ${count(runs)} runs, ${count(steps)} steps, ${count(operations)} operations, ` +
      `${count(answers)} answered, ${count(faults)} faults, ${count(crashes)} crashes; all steps: ${digest.slice(0, 16)}`,
  );
  return finding === undefined;
}

try {
  process.exitCode = (await simulate(readOptions(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
