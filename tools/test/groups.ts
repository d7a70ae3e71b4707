import { globSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Test files that run in one process. */
export interface Group {
  readonly name: string;
  readonly files: readonly string[];
}

/** Bytes of test code that one process runs: enough to share what is loaded, and few enough to keep all cores busy to the end. */
const LARGEST = 35_000;

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

/**
 * All test files by folder, the largest group first. Files named `*.slow.test.ts` are left out unless `slow`.
 * `below`, if there are any, are the folders or files to run.
 */
export function groups(slow: boolean, below: readonly string[]): Group[] {
  const isWanted = (file: string) =>
    (slow || !file.endsWith('.slow.test.ts') || below.includes(file)) &&
    (below.length === 0 ||
      below.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`)));
  const files = globSync('test/**/*.test.ts').filter(isWanted).sort();
  return [...Map.groupBy(files, dirname)]
    .flatMap(([folder, all]) => parts(all).map((some) => ({ name: folder, files: some })))
    .sort((a, b) => sizeOfAll(b.files) - sizeOfAll(a.files));
}
