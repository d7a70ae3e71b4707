import type { AnyOperation } from '../operation.ts';

const PREFIX = 'org/service/repository/';

/** The last part of an operation's id, by which pages and documents call it: `rule/actiondefs.get`. */
export function nameOf({ id }: Pick<AnyOperation, 'id'>): string {
  return id.slice(PREFIX.length);
}

/** The paths of an operation, below the base paths that are set; below its own where its API has some. */
export function pathsOf({ api, paths }: Pick<AnyOperation, 'api' | 'paths'>): readonly string[] {
  const [basePath = ''] = api?.basePaths ?? [];
  return paths.map((path) => basePath + path);
}
