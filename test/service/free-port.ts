import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';

/** As on most systems. */
const LOWEST_GIVEN = 32_768;

/** The lowest port that the system itself gives to whoever names none. */
function lowestGiven(): number {
  try {
    return Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
  } catch {
    return LOWEST_GIVEN;
  }
}

/** Below are the ports of programs that are known. */
const LOWEST = 10_000;
/** How many ports there are that the system gives to nobody, or all where it leaves too few. */
const ROOM = (lowestGiven() > LOWEST + 1_000 ? lowestGiven() : 65_536) - LOWEST;
/** Files of tests that run at the same time begin at different ports. */
let tried = randomInt(ROOM);

/**
 * A port of this machine that nobody listens on at the moment. Where the system leaves room it gives it to nobody
 * meanwhile, and one process is not told the same port again soon, although it does not listen on it yet.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    tried += 1;
    const server = createServer().listen(LOWEST + (tried % ROOM), '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }
}
