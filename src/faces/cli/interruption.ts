// Without a listener, a hang-up ends the process even under nohup: Node restores the default action of each signal.
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `act` at the first signal that asks the command to end, and does not end the process then. A second signal ends
 * it. A terminal that goes away may send two hang-ups, which count as one. Returns a function that removes the
 * listeners.
 */
export function onInterruption(act: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of SIGNALS) process[signal === 'SIGHUP' ? 'on' : 'once'](signal, act);
  return () => {
    for (const signal of SIGNALS) process.off(signal, act);
  };
}

/**
 * Runs work that has to clean up before a signal ends the process. `work` gets a function that returns the signal, if
 * one came; `act` is called when it comes. Once the work has ended, the process ends by that signal.
 */
export async function withCleanup<T>(
  work: (signal: () => NodeJS.Signals | undefined) => Promise<T>,
  act: () => void = () => undefined,
): Promise<T> {
  let received: NodeJS.Signals | undefined;
  const removeListeners = onInterruption((signal) => {
    received = signal;
    act();
  });
  try {
    return await work(() => received);
  } finally {
    removeListeners();
    if (received !== undefined) process.kill(process.pid, received);
  }
}
