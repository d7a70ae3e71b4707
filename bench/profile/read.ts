import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A function on the stack. */
export interface Frame {
  readonly functionName: string;
  /** Empty for functions of V8. */
  readonly url: string;
}

/** A stack with its share of the time. */
export interface Stack {
  /** From the outermost function to the running one. */
  readonly frames: readonly Frame[];
  readonly microseconds: number;
}

/** The file of `--cpu-prof`, in the format of the inspector's profiler. Times are in microseconds. */
interface Profile {
  readonly nodes: readonly { id: number; callFrame: Frame; children?: readonly number[] }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const NOTHING: ReadonlySet<string> = new Set(['(root)', '(idle)']);

/** The stack of each node of a profile; undefined for idle nodes. */
function stacksOf({ nodes }: Profile): Map<number, readonly Frame[] | undefined> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const framesTo = (id: number): Frame[] => {
    const parent = parents.get(id);
    return [...(parent === undefined ? [] : framesTo(parent)), frames.get(id) as Frame];
  };
  return new Map(
    nodes.map(({ id, callFrame }) => [
      id,
      NOTHING.has(callFrame.functionName) ? undefined : framesTo(id).slice(1),
    ]),
  );
}

/** The stacks of the one profile in a folder, during `lasted` milliseconds before the last `ending` milliseconds. */
export function stacksIn(folder: string, lasted: number, ending: number): Stack[] {
  const [file = ''] = readdirSync(folder);
  const profile: Profile = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const stacks = stacksOf(profile);
  const whole = profile.timeDeltas.reduce((sum, delta) => sum + delta, 0);
  const [from, to] = [whole - (lasted + ending) * 1_000, whole - ending * 1_000];
  const seen = new Map<number, number>();
  let at = 0;
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0;
    at += delta;
    if (at > from && at <= to) seen.set(id, (seen.get(id) ?? 0) + delta);
  }
  return [...seen].flatMap(([id, microseconds]) => {
    const frames = stacks.get(id);
    return frames === undefined ? [] : [{ frames, microseconds }];
  });
}
