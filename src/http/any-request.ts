import type { AnyOperation } from '../operation.ts';
import type { Match } from './routes.ts';
import { originForm } from './target.ts';

/** Finds what answers to any request at a target, as it is written: nothing of another service's path is decoded. */
export type FindAny = (url: string) => Match | undefined;

/** What may stand behind a path that something stands below: a segment, the query, or nothing. */
const BEHIND: ReadonlySet<string | undefined> = new Set(['/', '?', undefined]);

/** The routes of the operations that stand for requests to another service, under each base path. */
export function anyRequestRoutes(operations: readonly AnyOperation[], basePaths: readonly string[]): FindAny {
  const routes: { readonly prefix: string; readonly match: Match }[] = [];
  for (const operation of operations.filter(({ anyRequest }) => anyRequest)) {
    const at = { path: {}, operations: new Map([[operation.method, operation]]), extension: undefined };
    for (const basePath of basePaths) {
      for (const template of operation.paths)
        routes.push({ prefix: basePath + template, match: { basePath, template, ...at } });
    }
  }
  return (url) => {
    const target = originForm(url);
    for (const { prefix, match } of routes)
      if (target.startsWith(prefix) && BEHIND.has(target[prefix.length])) return match;
    return undefined;
  };
}
