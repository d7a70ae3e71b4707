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
