import type { AnyOperation } from '../operation.ts';

/** What a path leads to. */
export interface Match {
  /** The base path that the caller used. */
  readonly basePath: string;
  readonly template: string;
  /** What each name in the template matched: a segment, or several. */
  readonly path: Readonly<Record<string, string | readonly string[]>>;
  /** The operations by their methods. */
  readonly operations: ReadonlyMap<string, AnyOperation>;
  /** The extension of the last segment, if the operations there choose their format by it. */
  readonly extension: string | undefined;
}

/** Finds what answers at a path, given as decoded segments. */
export type FindRoute = (segments: readonly string[]) => Match | undefined;

/** The routes of operations, each under the base paths of its API or under the configured ones. */
export function routeTable(basePaths: readonly string[]): {
  readonly find: FindRoute;
  add(operations: readonly AnyOperation[]): void;
} {
  const root = newNode();
  return {
    find: (segments) => {
      const stripped = withoutExtension(segments);
      const match = stripped && matchAt(root, stripped.segments, stripped.extension);
      return match !== undefined && byExtension(match.operations) ? match : matchAt(root, segments);
    },
    add(operations) {
      for (const operation of operations.filter(({ anyRequest }) => !anyRequest)) {
        for (const basePath of operation.api?.basePaths ?? basePaths)
          for (const template of operation.paths) addRoute(root, basePath, template, operation);
      }
    },
  };
}

/** Finds these operations. */
export function routes(operations: readonly AnyOperation[], basePaths: readonly string[]): FindRoute {
  const { find, add } = routeTable(basePaths);
  add(operations);
  return find;
}

/** Finds what answers any request at a target. The target is compared as it is written: another service decodes its own path. */
export type FindAny = (url: string) => Match | undefined;

/** What may follow a path under which a route takes everything: a segment, the query, or nothing. */
const MAY_FOLLOW: ReadonlySet<string | undefined> = new Set(['/', '?', undefined]);

/** The routes of the operations that stand for requests to another service, under each base path. */
export function anyRequestRoutes(operations: readonly AnyOperation[], basePaths: readonly string[]): FindAny {
  const prefixes: { readonly prefix: string; readonly match: Match }[] = [];
  for (const operation of operations.filter(({ anyRequest }) => anyRequest)) {
    const at = { path: {}, operations: new Map([[operation.method, operation]]), extension: undefined };
    for (const basePath of basePaths) {
      for (const template of operation.paths)
        prefixes.push({ prefix: basePath + template, match: { basePath, template, ...at } });
    }
  }
  return (url) => {
    const target = originForm(url);
    for (const { prefix, match } of prefixes)
      if (target.startsWith(prefix) && MAY_FOLLOW.has(target[prefix.length])) return match;
    return undefined;
  };
}

/** A target in origin form. From the absolute form, which clients send to a proxy, it cuts off scheme and host (RFC 9112 section 3.2). */
export function originForm(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
}

interface RouteEnd {
  readonly basePath: string;
  readonly template: string;
  readonly operations: Map<string, AnyOperation>;
}

/** A node in the tree of paths, with its children: by a fixed segment, by a name, or by a name for several segments. */
interface PathNode {
  readonly fixed: Map<string, PathNode>;
  one?: { readonly name: string; readonly node: PathNode };
  several?: { readonly name: string; readonly node: PathNode };
  end?: RouteEnd;
}

type Captured = Record<string, string | readonly string[]>;

const newNode = (): PathNode => ({ fixed: new Map() });
const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** Whether a name in a template takes several segments: its schema is a list then. */
function takesSeveral({ input }: AnyOperation, name: string): boolean {
  return (input.path?.properties[name] as { type?: string } | undefined)?.type === 'array';
}

/** The child of a node for one segment of a template. */
function childFor(node: PathNode, segment: string, operation: AnyOperation): PathNode {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1];
  if (name !== undefined) {
    const kind = takesSeveral(operation, name) ? 'several' : 'one';
    node[kind] ??= { name, node: newNode() };
    return node[kind].node;
  }
  const next = node.fixed.get(segment) ?? newNode();
  node.fixed.set(segment, next);
  return next;
}

function addRoute(root: PathNode, basePath: string, template: string, operation: AnyOperation): void {
  let node = root;
  for (const segment of segmentsOf(basePath + template)) node = childFor(node, segment, operation);
  node.end ??= { basePath, template, operations: new Map() };
  node.end.operations.set(operation.method, operation);
  if (operation.api?.slashAtEnd && !node.fixed.has(''))
    node.fixed.set('', { fixed: new Map(), end: node.end });
}

/**
 * Walks down from a node. Fixed segments are tried before names, and a name for several segments takes as many as it can.
 * Writes what the names matched into `captured`.
 */
function walk(
  node: PathNode,
  segments: readonly string[],
  at: number,
  captured: Captured,
): RouteEnd | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.end;
  const fixed = node.fixed.size > 0 ? node.fixed.get(segment) : undefined;
  const found = fixed && walk(fixed, segments, at + 1, captured);
  if (found !== undefined || segment === '') return found;
  const { one, several } = node;
  const named = one && walk(one.node, segments, at + 1, captured);
  if (one === undefined || named === undefined)
    return several && walkSeveral(several, segments, at, captured);
  captured[one.name] = segment;
  return named;
}

function walkSeveral(
  { name, node }: Required<PathNode>['several'],
  segments: readonly string[],
  at: number,
  captured: Captured,
): RouteEnd | undefined {
  const empty = segments.indexOf('', at);
  for (let end = empty < 0 ? segments.length : empty; end > at; end -= 1) {
    const found = walk(node, segments, end, captured);
    if (found === undefined) continue;
    captured[name] = segments.slice(at, end);
    return found;
  }
  return undefined;
}

function matchAt(root: PathNode, segments: readonly string[], extension?: string): Match | undefined {
  const path: Captured = {};
  const end = walk(root, segments, 0, path);
  if (end === undefined) return undefined;
  const { basePath, template, operations } = end;
  return { basePath, template, operations, path, extension };
}

/** The segments with the extension cut off the last one, and that extension. */
function withoutExtension(
  segments: readonly string[],
): { segments: string[]; extension: string } | undefined {
  const last = segments.at(-1) ?? '';
  const dot = last.lastIndexOf('.');
  if (dot <= 0 || dot === last.length - 1) return undefined;
  return { segments: [...segments.slice(0, -1), last.slice(0, dot)], extension: last.slice(dot + 1) };
}

const byExtension = (operations: ReadonlyMap<string, AnyOperation>) =>
  [...operations.values()].some(({ formatStyle }) => formatStyle === 'any');
