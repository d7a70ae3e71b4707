import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CopiedTree } from './copied-tree.ts';
import { type Mutant, mutantsOf, parse } from './mutants.ts';
import { type Options, readOptions, type Target, USAGE, WrongUsage } from './options.ts';

const ROOT = join(import.meta.dirname, '../..');
/** How many times longer than the unchanged code a mutant may take before it counts as endless. */
const TIMES_SLOWER = 4;
const SLOWER_BY = 10_000;
/** Milliseconds for a test file without a mutant. */
const MOST_UNCHANGED = 600_000;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stopping.abort(new Error(`stopped by ${signal}`)));

/** A test file with its time limit. */
interface TimedTest {
  readonly file: string;
  readonly took: number;
  readonly limit: number;
}

/** One mutant of a file, with the file's text at the start: the file may be edited meanwhile. */
interface Planted extends Mutant {
  readonly file: string;
  readonly text: string;
}

/** The tests of a file: those in the folder of the same name, or in the nearest folder above that has tests. */
function testsOf(file: string): string[] {
  const own = file.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
  for (let folder = dirname(own); folder !== 'test'; folder = dirname(folder)) {
    const found = globSync(`${folder}/**/*.test.ts`, { cwd: ROOT });
    if (found.length > 0) return found.sort();
  }
  return existsSync(join(ROOT, own)) ? [own] : [];
}

function plantedIn({ file, lines }: Target): Planted[] {
  if (!existsSync(join(ROOT, file))) throw new WrongUsage(`there is no ${file}`);
  const parsed = parse(join(ROOT, file));
  return mutantsOf(parsed)
    .filter(({ line }) => lines?.some(([from, to]) => from <= line && line <= to) ?? true)
    .map((mutant) => ({ ...mutant, file, text: parsed.text }));
}

/** Runs each test without a mutant. Returns the fastest first, so that most mutants are caught early. */
async function timed(tree: CopiedTree, files: readonly string[], limit?: number): Promise<TimedTest[]> {
  const tests: TimedTest[] = [];
  for (const file of files) {
    const began = performance.now();
    const ended = await tree.run(file, MOST_UNCHANGED, stopping.signal);
    const took = performance.now() - began;
    if (ended !== 'passed') throw new Error(`${file} fails without a mutant: mend that first`);
    tests.push({ file, took, limit: limit ?? took * TIMES_SLOWER + SLOWER_BY });
  }
  return tests.sort((one, other) => one.took - other.took);
}

/** Whether a test fails, or takes too long, with the mutant. */
async function isCaught(tree: CopiedTree, planted: Planted, tests: readonly TimedTest[]): Promise<boolean> {
  const { file, text, start, end, replacement } = planted;
  tree.write(file, text.slice(0, start) + replacement + text.slice(end));
  try {
    for (const test of tests)
      if ((await tree.run(test.file, test.limit, stopping.signal)) !== 'passed') return true;
    return false;
  } finally {
    tree.write(file, text);
  }
}

/** Tries every mutant in one of the trees. Returns those that no test caught. */
async function survivorsOf(
  mutants: readonly Planted[],
  tests: readonly TimedTest[],
  trees: readonly CopiedTree[],
): Promise<Planted[]> {
  const survivors: Planted[] = [];
  const waiting = mutants.entries();
  const work = async (tree: CopiedTree) => {
    for (const [index, mutant] of waiting) {
      const caught = await isCaught(tree, mutant, tests);
      if (!caught) survivors.push(mutant);
      const { file, line, change } = mutant;
      const verdict = caught ? 'caught' : 'SURVIVED';
      process.stderr.write(`${index + 1}/${mutants.length} ${verdict} ${file}:${line} ${change}\n`);
    }
  };
  await Promise.all(trees.map(work));
  return mutants.filter((mutant) => survivors.includes(mutant));
}

async function mutate({ targets, tests: glob, limit, atOnce }: Options): Promise<void> {
  const groups = Map.groupBy(targets, ({ file }) =>
    (glob === undefined ? testsOf(file) : globSync(glob, { cwd: ROOT }).sort()).join('\n'),
  );
  const trees = Array.from({ length: atOnce }, () => new CopiedTree(ROOT));
  try {
    let [tried, survived] = [0, 0];
    for (const [names, ofGroup] of groups) {
      if (names === '') throw new WrongUsage(`${ofGroup[0]?.file} has no tests of its folder: name --tests`);
      const tests = await timed(trees[0] as CopiedTree, names.split('\n'), limit);
      const mutants = ofGroup.flatMap(plantedIn);
      const survivors = await survivorsOf(mutants, tests, trees);
      for (const { file, line, change } of survivors) console.log(`${file}:${line}  ${change}`);
      tried += mutants.length;
      survived += survivors.length;
    }
    console.log(`${tried} mutants: ${tried - survived} caught, ${survived} survived`);
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
