for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/**
 * Does `work`, which can wait for nothing, when this process ends: also when a run is cut short, which a signal does
 * that would end it without a word. Gives what takes it back.
 */
export function atExit(work: () => void): () => void {
  process.once('exit', work);
  return () => void process.off('exit', work);
}
