import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

/** A mistake on the command line. */
export class WrongUsage extends Error {
  override name = 'WrongUsage';
}

export const USAGE = `npm run mutate -- FILE[:LINES]... [--tests GLOB] [--limit SECONDS] [--at-once NUMBER]
    [--sample NUMBER --seed NUMBER]
FILE is a file below src/, or a pattern such as 'src/engines/**/*.ts'. LINES are lines and ranges of it, such as 80,163-170; without them every line is changed.
--tests    the tests to run; without it the folder and the file of test/ that have the name of the file's folder
--limit    seconds that one group of tests may take; without it four times what it takes unchanged, and ten seconds more
--at-once  mutants that are tried at once, each in its own copy of the tree; without it one for each core
--sample   how many mutants are tried, chosen by the seed out of all; without it all of them
--seed     the same seed chooses the same mutants`;

/** A file to change, and its lines to change; without lines, all of them. */
export interface Target {
  readonly file: string;
  readonly lines: readonly (readonly [from: number, to: number])[] | undefined;
}

export interface Options {
  readonly targets: readonly Target[];
  readonly tests: string | undefined;
  /** Milliseconds. */
  readonly limit: number | undefined;
  readonly atOnce: number;
  readonly sample: { readonly size: number; readonly seed: number } | undefined;
}

/** Reads the command line. Throws {@link WrongUsage}. */
export function readOptions(words: readonly string[]): Options {
  const { values, positionals } = parsed(words);
  if (positionals.length === 0) throw new WrongUsage('name a file to change');
  const limit = values.limit === undefined ? undefined : 1_000 * positive('--limit', values.limit);
  const atOnce = values['at-once'] ?? String(availableParallelism());
  return {
    targets: positionals.map(targetOf),
    tests: values.tests,
    limit,
    atOnce: positive('--at-once', atOnce),
    sample: sampleFrom(values.sample, values.seed),
  };
}

function sampleFrom(size: string | undefined, seed: string | undefined): Options['sample'] {
  if (size === undefined && seed === undefined) return undefined;
  if (size === undefined || seed === undefined) throw new WrongUsage('--sample and --seed belong together');
  return { size: positive('--sample', size), seed: positive('--seed', seed) };
}

function parsed(words: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { tests: text, limit: text, 'at-once': text, sample: text, seed: text },
    });
  } catch (error) {
    throw new WrongUsage((error as Error).message);
  }
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new WrongUsage(`${name} takes a whole number from 1 on, and "${text}" is none`);
  return number;
}

function targetOf(text: string): Target {
  const [file = '', lines, ...more] = text.split(':');
  if (!/^src\/.*\.ts$/.test(file)) throw new WrongUsage(`"${file}" is no TypeScript file below src/`);
  if (lines === undefined) return { file, lines };
  const ranges = lines.split(',').map((range) => /^(\d+)(?:-(\d+))?$/.exec(range));
  if (more.length > 0 || ranges.includes(null))
    throw new WrongUsage(`"${lines}" are no lines: write them as 80,163-170`);
  return { file, lines: ranges.map((range) => [Number(range?.[1]), Number(range?.[2] ?? range?.[1])]) };
}
