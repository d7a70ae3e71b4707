import type { AnyOperation } from '../../core/operation.ts';

const PREFIX = 'org/service/repository/';

/** The last part of an operation's id, which pages and documents show: `rule/actiondefs.get`. */
export function nameOf({ id }: Pick<AnyOperation, 'id'>): string {
  return id.slice(PREFIX.length);
}

/** The paths of an operation. They include a base path only if the operation's API has its own. */
export function pathsOf({ api, paths }: Pick<AnyOperation, 'api' | 'paths'>): readonly string[] {
  const [basePath = ''] = api?.basePaths ?? [];
  return paths.map((path) => basePath + path);
}
