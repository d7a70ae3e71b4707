import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { choose } from '../test/groups.ts';
import { CopiedTree } from './copied-tree.ts';
import { type Mutant, mutantsOf, parse } from './mutants.ts';
import { type Options, readOptions, type Target, USAGE, WrongUsage } from './options.ts';
import { intervalOf, sampleOf } from './sample.ts';

const ROOT = join(import.meta.dirname, '../..');
/** How many times longer than the unchanged code a mutant may take before it counts as endless. */
const TIMES_SLOWER = 4;
const SLOWER_BY = 10_000;
/** Milliseconds for a test file without a mutant. */
const MOST_UNCHANGED = 600_000;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stopping.abort(new Error(`stopped by ${signal}`)));

/** Test files that run in one process, with their time limit. */
interface TimedGroup {
  readonly files: readonly string[];
  readonly took: number;
  readonly limit: number;
}

/** One mutant of a file, with the file's text at the start: the file may be edited meanwhile. */
interface Planted extends Mutant {
  readonly file: string;
  readonly text: string;
}

/** The tests of a file: those of the folder or file with its folder's name, or of the nearest one above that has tests. */
function testsOf(file: string): string[] {
  const own = file.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
  for (let folder = dirname(own); folder !== 'test'; folder = dirname(folder)) {
    const found = globSync(`${folder}{.test.ts,/**/*.test.ts}`, { cwd: ROOT });
    if (found.length > 0) return found.sort();
  }
  return existsSync(join(ROOT, own)) ? [own] : [];
}

function plantedIn(targets: readonly Target[]): Planted[] {
  const chosen = targets.flatMap(({ file, lines }) => {
    const files = globSync(file, { cwd: ROOT }).sort();
    if (files.length === 0) throw new WrongUsage(`there is no ${file}`);
    return files.map((found) => ({ file: found, lines }));
  });
  const trees = parse(chosen.map(({ file }) => join(ROOT, file)));
  return chosen.flatMap(({ file, lines }, index) => {
    const parsed = trees[index] as (typeof trees)[number];
    return mutantsOf(parsed)
      .filter(({ line }) => lines?.some(([from, to]) => from <= line && line <= to) ?? true)
      .map((mutant) => ({ ...mutant, file, text: parsed.text }));
  });
}

/** The tests of each file, with the time that they take unchanged. */
class TimedTests {
  readonly #glob: string | undefined;
  readonly #limit: number | undefined;
  readonly #groups = new Map<string, Promise<TimedGroup>>();

  constructor({ tests, limit }: Options) {
    this.#glob = tests;
    this.#limit = limit;
  }

  /** The tests of a file, the fastest group first, so that most mutants are caught early. Runs in `tree` what has no time yet. */
  async of(file: string, tree: CopiedTree): Promise<TimedGroup[]> {
    const tests = this.#glob === undefined ? testsOf(file) : globSync(this.#glob, { cwd: ROOT });
    if (tests.length === 0) throw new WrongUsage(`${file} has no tests of its folder: name --tests`);
    const timed: TimedGroup[] = [];
    for (const { files } of choose(true, tests).groups) {
      const name = files.join(' ');
      const group = this.#groups.get(name) ?? this.#time(files, tree);
      this.#groups.set(name, group);
      timed.push(await group);
    }
    return timed.sort((one, other) => one.took - other.took);
  }

  async #time(files: readonly string[], tree: CopiedTree): Promise<TimedGroup> {
    const began = performance.now();
    const ended = await tree.run(files, MOST_UNCHANGED, stopping.signal);
    const took = performance.now() - began;
    if (ended !== 'passed') throw new Error(`${files.join(' ')}: ${ended} without a mutant; mend that first`);
    return { files, took, limit: this.#limit ?? took * TIMES_SLOWER + SLOWER_BY };
  }
}

/** Whether a test fails, or takes too long, with the mutant. */
async function isCaught(tree: CopiedTree, planted: Planted, groups: readonly TimedGroup[]): Promise<boolean> {
  const { file, text, start, end, replacement } = planted;
  tree.write(file, text.slice(0, start) + replacement + text.slice(end));
  try {
    for (const group of groups)
      if ((await tree.run(group.files, group.limit, stopping.signal)) !== 'passed') return true;
    return false;
  } finally {
    tree.write(file, text);
  }
}

/** Tries every mutant in one of the trees. Returns those that no test caught. */
async function survivorsOf(
  mutants: readonly Planted[],
  tests: TimedTests,
  trees: readonly CopiedTree[],
): Promise<Planted[]> {
  const survivors: Planted[] = [];
  const waiting = mutants.entries();
  const work = async (tree: CopiedTree) => {
    for (const [index, mutant] of waiting) {
      const caught = await isCaught(tree, mutant, await tests.of(mutant.file, tree));
      if (!caught) survivors.push(mutant);
      const { file, line, change } = mutant;
      const verdict = caught ? 'caught' : 'SURVIVED';
      process.stderr.write(`${index + 1}/${mutants.length} ${verdict} ${file}:${line} ${change}\n`);
    }
  };
  await Promise.all(trees.map(work));
  return mutants.filter((mutant) => survivors.includes(mutant));
}

const percent = (rate: number) => `${(100 * rate).toFixed(1)} %`;

async function mutate(options: Options): Promise<void> {
  const { targets, sample, atOnce } = options;
  const all = plantedIn(targets);
  const mutants = sample === undefined ? all : sampleOf(all, sample.size, sample.seed);
  const trees = Array.from({ length: atOnce }, () => new CopiedTree(ROOT));
  try {
    const survivors = await survivorsOf(mutants, new TimedTests(options), trees);
    for (const { file, line, change } of survivors) console.log(`${file}:${line}  ${change}`);
    const [tried, survived] = [mutants.length, survivors.length];
    console.log(`${tried} mutants: ${tried - survived} caught, ${survived} survived`);
    if (sample === undefined) return;
    const [from, to] = intervalOf(tried - survived, tried);
    console.log(
      `${percent(1 - survived / tried)} caught; of all ${all.length} mutants ${percent(from)} to ${percent(to)} (95 %)`,
    );
  } finally {
    for (const tree of trees) tree.remove();
  }
}

try {
  await mutate(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
