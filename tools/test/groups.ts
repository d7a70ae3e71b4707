import { globSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { startsPrograms } from './programs.ts';

/** Test files that run in one process. */
export interface Group {
  readonly name: string;
  readonly files: readonly string[];
}

/** Bytes of test code that one process runs: enough to share what is loaded, and few enough to keep all cores busy to the end. */
const LARGEST = 35_000;

/**
 * What takes longest, by the processor time that was measured, the longest first; most is little code. Each of these files or folders
 * is a group of its own, and starts before all others, so that none of them runs alone at the end.
 */
const LONG = [
  'test/faces/pages/pages.slow.test.ts',
  'test/publish',
  'test/faces/cli/transcripts.test.ts',
  'test/operations/laws.test.ts',
  'test/removal.test.ts',
  'test/operations/administration.test.ts',
  'test/clients/single-sign-on',
  'test/main/workers.slow.test.ts',
  'test/engines/postgres/next-look-up.test.ts',
  'test/engines/redis-cluster.slow.test.ts',
  'test/engines/redis/next-look-up.test.ts',
  'test/tools/simulate.test.ts',
  'test/upgrades',
  'test/engines/redis/failover.slow.test.ts',
  'test/crash',
  'test/model',
  'test/client/published.slow.test.ts',
  'test/docs/servers.slow.test.ts',
  'test/engines/postgres.test.ts',
];

const sizeOf = (file: string) => statSync(file).size;
const sizeOfAll = (files: readonly string[]) => files.reduce((sum, file) => sum + sizeOf(file), 0);

/** Splits the files of one folder so that no part is larger than {@link LARGEST}. */
function parts(files: readonly string[]): string[][] {
  const found: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const file of files) {
    if (size + sizeOf(file) > LARGEST) {
      found.push([]);
      size = 0;
    }
    found.at(-1)?.push(file);
    size += sizeOf(file);
  }
  return found;
}

/** The groups that a run takes, and the files that it leaves to a run of all tests. */
export interface Choice {
  readonly groups: Group[];
  readonly left: readonly string[];
}

const isBelow = (path: string, file: string) =>
  file === path || file.startsWith(`${path.replace(/\/$/, '')}/`);

/** The place of a file among those that take longest; after all of them if it is none. */
function placeOf(file = ''): number {
  const place = LONG.findIndex((path) => isBelow(path, file));
  return place === -1 ? LONG.length : place;
}

/**
 * Chooses from the test files that are `below` these folders or files, or from every one if there are none. Unless `all`, it
 * leaves files that start programs or are named `*.slow.test.ts`, but takes a file that is named itself. Puts the files of
 * one folder together, the group first that should take longest.
 */
export function choose(all: boolean, below: readonly string[]): Choice {
  const files = globSync('test/**/*.test.ts', { exclude: ['**/node_modules'] })
    .filter((file) => below.length === 0 || below.some((path) => isBelow(path, file)))
    .sort();
  const isShort = (file: string) => !file.endsWith('.slow.test.ts') && !startsPrograms(file);
  const { chosen = [], left = [] } = Object.groupBy(files, (file) =>
    all || below.includes(file) || isShort(file) ? 'chosen' : 'left',
  );
  const groups = [...Map.groupBy(chosen, (file) => LONG[placeOf(file)] ?? dirname(file))]
    .flatMap(([name, own]) =>
      (LONG.includes(name) ? [own] : parts(own)).map((some) => ({ name, files: some })),
    )
    .sort((a, b) => placeOf(a.files[0]) - placeOf(b.files[0]) || sizeOfAll(b.files) - sizeOfAll(a.files));
  return { groups, left };
}
