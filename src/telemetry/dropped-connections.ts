import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';

/** How often it is told at most, in milliseconds. */
const EVERY = 60_000;

/** Tells of each connection that was closed since there was no room for it: in the metrics, and in a line at `warn` a minute at most. */
export function droppedConnections(log: Logger, metrics: Metrics): () => void {
  let untold = 0;
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    timer = undefined;
    if (untold === 0) return;
    log.warn(
      { connections: untold },
      'connections beyond TESSERA_CONNECTIONS were closed: see who holds so many, or allow more',
    );
    untold = 0;
    timer = setTimeout(tell, EVERY).unref();
  };
  return () => {
    metrics.connectionDropped();
    untold += 1;
    if (timer === undefined) tell();
  };
}
