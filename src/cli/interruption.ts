const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Has a signal that asks the command to end call `act`, and end nothing by itself the first time. Gives what takes
 * that back.
 */
export function onInterruption(act: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of SIGNALS) process.once(signal, act);
  return () => {
    for (const signal of SIGNALS) process.off(signal, act);
  };
}
