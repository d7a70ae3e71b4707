// A hang-up ends what has no listener under nohup too: Node takes each signal as if nobody had told it to ignore any.
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Has a signal that asks the command to end call `act`, and end nothing by itself the first time: whoever asks again
 * cannot wait. A terminal that goes away may hang up twice, and asks once with that. Gives what takes it back.
 */
export function onInterruption(act: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of SIGNALS) process[signal === 'SIGHUP' ? 'on' : 'once'](signal, act);
  return () => {
    for (const signal of SIGNALS) process.off(signal, act);
  };
}

/**
 * Does work that has to tidy up before it ends by a signal: the work is told when it is `asked` to end, or `act` ends
 * it, and only once it has ended does the process, by that signal.
 */
export async function tidyingUp<T>(
  work: (asked: () => NodeJS.Signals | undefined) => Promise<T>,
  act: () => void = () => undefined,
): Promise<T> {
  let asked: NodeJS.Signals | undefined;
  const heedNoMore = onInterruption((signal) => {
    asked = signal;
    act();
  });
  try {
    return await work(() => asked);
  } finally {
    heedNoMore();
    if (asked !== undefined) process.kill(process.pid, asked);
  }
}
