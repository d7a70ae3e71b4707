import type { AnyOperation } from '../operation.ts';

/** What a path leads to: by method, the operation with what the path's names took. */
export interface Match {
  /** The base path that the caller used. */
  readonly basePath: string;
  readonly path: Readonly<Record<string, string>>;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  /** The extension on the last segment, where the operations there choose their format by it. */
  readonly extension?: string;
}

interface Place {
  readonly fixed: Map<string, Place>;
  named?: { readonly name: string; readonly place: Place };
  end?: { readonly basePath: string; readonly operations: Map<string, AnyOperation> };
}

const newPlace = (): Place => ({ fixed: new Map() });
const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** The segment below `place` for one segment of a template. */
function below(place: Place, segment: string): Place {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1];
  if (name !== undefined) {
    place.named ??= { name, place: newPlace() };
    return place.named.place;
  }
  const next = place.fixed.get(segment) ?? newPlace();
  place.fixed.set(segment, next);
  return next;
}

function plant(root: Place, basePath: string, template: string, operation: AnyOperation): void {
  let place = root;
  for (const segment of segmentsOf(basePath + template)) place = below(place, segment);
  place.end ??= { basePath, operations: new Map() };
  place.end.operations.set(operation.method, operation);
}

function walk(
  place: Place,
  segments: readonly string[],
  at: number,
  path: Record<string, string>,
): Place['end'] {
  const segment = segments[at];
  if (segment === undefined) return place.end;
  const fixed = place.fixed.get(segment);
  const found = fixed && walk(fixed, segments, at + 1, path);
  if (found !== undefined || place.named === undefined || segment === '') return found;
  path[place.named.name] = segment;
  return walk(place.named.place, segments, at + 1, path);
}

/** The last segment without its extension, and that extension. */
function withoutExtension(
  segments: readonly string[],
): { segments: string[]; extension: string } | undefined {
  const parts = /^(.+)\.([^.]+)$/s.exec(segments.at(-1) ?? '');
  if (parts === null) return undefined;
  return { segments: [...segments.slice(0, -1), parts[1] as string], extension: parts[2] as string };
}

const byExtension = (operations: ReadonlyMap<string, AnyOperation>) =>
  [...operations.values()].some(({ formatStyle }) => formatStyle === 'any');

/** Finds what answers at a path, given as decoded segments. */
export type FindRoute = (segments: readonly string[]) => Match | undefined;

/** The routes of the operations, under each base path. */
export function routes(operations: readonly AnyOperation[], basePaths: readonly string[]): FindRoute {
  const root = newPlace();
  for (const basePath of basePaths) {
    for (const operation of operations)
      for (const template of operation.paths) plant(root, basePath, template, operation);
  }
  const find = (segments: readonly string[]): Match | undefined => {
    const path: Record<string, string> = {};
    const end = walk(root, segments, 0, path);
    return end && { ...end, path };
  };
  return (segments) => {
    const stripped = withoutExtension(segments);
    const match = stripped && find(stripped.segments);
    if (match !== undefined && byExtension(match.operations))
      return { ...match, extension: stripped?.extension as string };
    return find(segments);
  };
}
