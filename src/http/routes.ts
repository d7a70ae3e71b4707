import type { AnyOperation } from '../operation.ts';

/** What a path leads to: by method, the operation with what the path's names took. */
export interface Match {
  /** The base path that the caller used. */
  readonly basePath: string;
  readonly template: string;
  /** What the names in the template took: a segment, or several. */
  readonly path: Readonly<Record<string, string | readonly string[]>>;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  /** The extension on the last segment, where the operations there choose their format by it. */
  readonly extension: string | undefined;
}

interface End {
  readonly basePath: string;
  readonly template: string;
  readonly operations: Map<string, AnyOperation>;
}

/** A place in the tree of paths: what stands below it by a fixed segment, by a name, or by a name that spans several. */
interface PathNode {
  readonly fixed: Map<string, PathNode>;
  one?: { readonly name: string; readonly place: PathNode };
  several?: { readonly name: string; readonly place: PathNode };
  end?: End;
}

type Taken = Record<string, string | readonly string[]>;

const newPlace = (): PathNode => ({ fixed: new Map() });
const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** Whether a name in a template takes several segments: its schema is a list then. */
function takesSeveral({ input }: AnyOperation, name: string): boolean {
  return (input.path?.properties[name] as { type?: string } | undefined)?.type === 'array';
}

/** The place below another for one segment of a template. */
function below(place: PathNode, segment: string, operation: AnyOperation): PathNode {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1];
  if (name !== undefined) {
    const kind = takesSeveral(operation, name) ? 'several' : 'one';
    place[kind] ??= { name, place: newPlace() };
    return place[kind].place;
  }
  const next = place.fixed.get(segment) ?? newPlace();
  place.fixed.set(segment, next);
  return next;
}

function plant(root: PathNode, basePath: string, template: string, operation: AnyOperation): void {
  let place = root;
  for (const segment of segmentsOf(basePath + template)) place = below(place, segment, operation);
  place.end ??= { basePath, template, operations: new Map() };
  place.end.operations.set(operation.method, operation);
  if (operation.api?.slashAtEnd && !place.fixed.has(''))
    place.fixed.set('', { fixed: new Map(), end: place.end });
}

/**
 * Walks down from a place: fixed segments go before names, and a name that spans several takes as many as it can.
 * What the names took is written into `taken`.
 */
function walk(place: PathNode, segments: readonly string[], at: number, taken: Taken): End | undefined {
  const segment = segments[at];
  if (segment === undefined) return place.end;
  const fixed = place.fixed.size > 0 ? place.fixed.get(segment) : undefined;
  const found = fixed && walk(fixed, segments, at + 1, taken);
  if (found !== undefined || segment === '') return found;
  const { one, several } = place;
  const named = one && walk(one.place, segments, at + 1, taken);
  if (one === undefined || named === undefined) return several && walkSeveral(several, segments, at, taken);
  taken[one.name] = segment;
  return named;
}

function walkSeveral(
  { name, place }: Required<PathNode>['several'],
  segments: readonly string[],
  at: number,
  taken: Taken,
): End | undefined {
  const empty = segments.indexOf('', at);
  for (let end = empty < 0 ? segments.length : empty; end > at; end -= 1) {
    const found = walk(place, segments, end, taken);
    if (found === undefined) continue;
    taken[name] = segments.slice(at, end);
    return found;
  }
  return undefined;
}

function matchAt(root: PathNode, segments: readonly string[], extension?: string): Match | undefined {
  const path: Taken = {};
  const end = walk(root, segments, 0, path);
  if (end === undefined) return undefined;
  const { basePath, template, operations } = end;
  return { basePath, template, operations, path, extension };
}

/** The last segment without its extension, and that extension. */
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

/** Finds what answers at a path, given as decoded segments. */
export type FindRoute = (segments: readonly string[]) => Match | undefined;

/** The routes of the operations, each under the base paths of its API or under those that are set. */
export function routes(operations: readonly AnyOperation[], basePaths: readonly string[]): FindRoute {
  const root = newPlace();
  for (const operation of operations.filter(({ anyRequest }) => !anyRequest)) {
    for (const basePath of operation.api?.basePaths ?? basePaths)
      for (const template of operation.paths) plant(root, basePath, template, operation);
  }
  return (segments) => {
    const stripped = withoutExtension(segments);
    const match = stripped && matchAt(root, stripped.segments, stripped.extension);
    return match !== undefined && byExtension(match.operations) ? match : matchAt(root, segments);
  };
}
