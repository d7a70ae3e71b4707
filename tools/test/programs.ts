import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The modules by which a test starts programs. The interface of TypeScript starts its compiler. */
const STARTERS = /^(node:child_process|node:cluster|playwright-core|typescript\b.*)$/;

const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g;

const cache = new Map<string, readonly string[]>();

/** What a file imports: modules by their names, and files by their paths from the root of the project. */
function importsOf(file: string): readonly string[] {
  const cached = cache.get(file);
  if (cached !== undefined) return cached;
  const imports = [...readFileSync(file, 'utf8').matchAll(IMPORTED)].map(([, name = '']) =>
    name.startsWith('.') ? normalize(join(dirname(file), name)) : name,
  );
  cache.set(file, imports);
  return imports;
}

/** Whether this is a file of the tests and tools. Code of the service starts programs only if its workers are started. */
const isOurs = (path: string) => path.endsWith('.ts') && !path.startsWith('src/') && existsSync(path);

/** Whether a test file starts programs: it imports what starts them, itself or through the files that it imports. */
export function startsPrograms(file: string): boolean {
  const reached = new Set([file]);
  // A set is iterated in the order of its growth, with what is added meanwhile.
  for (const each of reached)
    for (const imported of importsOf(each)) {
      if (STARTERS.test(imported)) return true;
      if (isOurs(imported)) reached.add(imported);
    }
  return false;
}
