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

/** Sorts functions by their first call in `work`, which runs with a breakpoint at the start of each function. */
export async function inOrder(
  inspector: Inspector,
  functions: readonly FunctionRun[],
  work: () => Promise<unknown>,
): Promise<FunctionRun[]> {
  const byBreakpoint = new Map<string, FunctionRun>();
  const entered = new Set<FunctionRun>();
  inspector.on('Debugger.paused', ({ hitBreakpoints }: { hitBreakpoints: readonly string[] }) => {
    // What runs behind the answer may stop a last time while the debugger is switched off, which ends the stop by itself.
    const go = (method: string, params = {}) => void inspector.ask(method, params).catch(() => undefined);
    for (const id of hitBreakpoints) {
      const found = byBreakpoint.get(id);
      if (found !== undefined) entered.add(found);
      // Only the first call counts, and each stop takes a round trip.
      go('Debugger.removeBreakpoint', { breakpointId: id });
    }
    go('Debugger.resume');
  });
  await inspector.ask('Debugger.enable');
  const set = async (run: FunctionRun) => {
    const location = await firstLocation(inspector, run);
    if (location === undefined) return;
    // Setting a second breakpoint at the same place fails. Both functions then share the first one.
    const made = await inspector
      .ask<{ breakpointId: string }>('Debugger.setBreakpoint', { location })
      .catch(() => undefined);
    if (made !== undefined) byBreakpoint.set(made.breakpointId, run);
  };
  await Promise.all(functions.map(set));
  // Breakpoints are slow, so the request may miss a deadline; the order is known all the same.
  await work().catch(() => undefined);
  await inspector.ask('Debugger.disable');
  return [...entered, ...functions.filter((run) => !entered.has(run))];
}

/** The first place in a function where V8 can stop. */
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
