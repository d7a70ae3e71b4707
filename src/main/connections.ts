import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { METRICS_CONNECTIONS } from '../http/metrics-server.ts';

/** What the process has open beside connections: its modules, the store's files and connections. */
const FILES = 100;
/** What the process has open beside connections of clients. */
const OTHERS = FILES + METRICS_CONNECTIONS;

/** How many files and connections the system lets this process have open; no limit where it tells none. */
export function mostOpen(): number {
  try {
    const [, most] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return most === undefined ? Number.POSITIVE_INFINITY : Number(most);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * As many connections as are allowed and as the system has room for beside all else; a warning where that is less.
 * Beyond its limit a process could neither close a connection in good order nor open a file.
 */
export function connectionsWithin(allowed: number, most: number, log: Logger): number {
  const room = Math.max(most - OTHERS, 1);
  if (allowed <= room) return allowed;
  log.warn(
    `the system lets this process have ${most} files open, so it serves ${room} connections at a time and not the ` +
      `${allowed} of TESSERA_CONNECTIONS: raise that limit to ${allowed + OTHERS} (ulimit -n, LimitNOFILE of systemd), or set fewer`,
  );
  return room;
}
