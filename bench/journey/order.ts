import type { FunctionRun, Inspector } from './inspector.ts';

interface Location {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Line and column, from 0 on, of an offset in a text. */
function placeOf(text: string, offset: number): Pick<Location, 'lineNumber' | 'columnNumber'> {
  const before = text.slice(0, offset);
  return {
    lineNumber: before.split('\n').length - 1,
    columnNumber: offset - (before.lastIndexOf('\n') + 1),
  };
}

/** The functions in the order in which `work` first enters each: it runs with a breakpoint at each one's beginning. */
export async function inOrder(
  inspector: Inspector,
  functions: readonly FunctionRun[],
  work: () => Promise<unknown>,
): Promise<FunctionRun[]> {
  const byBreakpoint = new Map<string, FunctionRun>();
  const entered = new Set<FunctionRun>();
  inspector.on('Debugger.paused', ({ hitBreakpoints }: { hitBreakpoints: readonly string[] }) => {
    for (const id of hitBreakpoints) {
      const found = byBreakpoint.get(id);
      if (found !== undefined) entered.add(found);
    }
    void inspector.ask('Debugger.resume');
  });
  await inspector.ask('Debugger.enable');
  for (const run of functions) {
    const location = await firstLocation(inspector, run);
    if (location === undefined) continue;
    // Two functions may begin at one place: the second keeps the breakpoint of the first.
    const set = await inspector
      .ask<{ breakpointId: string }>('Debugger.setBreakpoint', { location })
      .catch(() => undefined);
    if (set !== undefined) byBreakpoint.set(set.breakpointId, run);
  }
  // Each stop takes time: a request that misses a deadline because of that has still shown an order.
  await work().catch(() => undefined);
  await inspector.ask('Debugger.disable');
  return [...entered, ...functions.filter((run) => !entered.has(run))];
}

/** Where V8 can stop first inside a function. */
async function firstLocation(
  inspector: Inspector,
  { scriptId, offset }: FunctionRun,
): Promise<Location | undefined> {
  const { scriptSource } = await inspector.ask<{ scriptSource: string }>('Debugger.getScriptSource', {
    scriptId,
  });
  const start = { scriptId, ...placeOf(scriptSource, offset) };
  const { locations } = await inspector.ask<{ locations: readonly Location[] }>(
    'Debugger.getPossibleBreakpoints',
    { start, restrictToFunction: true },
  );
  return locations[0];
}
