import type { Logger } from 'pino';

/** The limit that was reached: that of the public port, that of one address there, or that of the metrics port. */
export type DropReason = (typeof DROP_REASONS)[number];

export const DROP_REASONS = ['all', 'address', 'metrics'] as const;

/** How often the log has a line about one limit, in milliseconds. */
const EVERY = 60_000;

const MESSAGES: Readonly<Record<DropReason, string>> = {
  all: 'connections beyond TESSERA_CONNECTIONS were closed: see who holds so many, or allow more',
  address:
    'connections beyond TESSERA_CONNECTIONS_PER_ADDRESS were closed: name a proxy in TESSERA_TRUSTED_PROXIES, or allow more',
  metrics: 'connections beyond the 50 of the metrics port were closed: see who holds so many',
};

/** Dropped connections that are not logged yet. */
interface Unlogged {
  connections: number;
  address: string | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Returns a function to call for each connection that was closed because a limit was reached. It calls `count`. For each
 * limit it logs a line at `warn`, at most once a minute, with the number of connections and the last address.
 */
export function droppedConnections(
  log: Logger,
  count: (reason: DropReason) => void,
): (reason: DropReason, address?: string) => void {
  const unlogged = new Map<DropReason, Unlogged>();
  const write = (reason: DropReason, about: Unlogged) => {
    about.timer = undefined;
    if (about.connections === 0) return;
    const { connections, address } = about;
    log.warn({ connections, address }, MESSAGES[reason]);
    about.connections = 0;
    about.timer = setTimeout(() => write(reason, about), EVERY).unref();
  };
  return (reason, address) => {
    count(reason);
    const about = unlogged.get(reason) ?? { connections: 0, address, timer: undefined };
    unlogged.set(reason, about);
    about.connections += 1;
    about.address = address;
    if (about.timer === undefined) write(reason, about);
  };
}
