import { LRUCache } from 'lru-cache';
import pino, { type Logger } from 'pino';

/** Of how many faults it is known that their stack was told, and for how many milliseconds. */
const TOLD = { max: 100, ttl: 60_000, ttlResolution: 0 };

/** An error's type and message, with the messages of its causes. */
function inShort(fault: Error): { type: string; message: string } {
  const { type, message } = pino.stdSerializers.err(fault);
  return { type, message };
}

/**
 * Tells each fault in a line at `error`, with the id of the request that met it. The stack of one that comes again is
 * told once a minute: an outage, which every request meets, would fill the disk otherwise.
 */
export function faultTeller(log: Logger): (fault: unknown, requestId?: string) => void {
  const brief = log.child({}, { serializers: { err: inShort } });
  const told = new LRUCache<string, true>(TOLD);
  const wasTold = ({ stack = '' }: Error) => {
    if (told.has(stack)) return true;
    told.set(stack, true);
    return false;
  };
  return (fault, id) => {
    const by = fault instanceof Error && wasTold(fault) ? brief : log;
    by.error({ err: fault, id }, 'fault');
  };
}
