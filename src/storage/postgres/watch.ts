import type { ServerClock } from './clock.ts';
import type { Readers } from './readers.ts';
import type { PostgresServers } from './servers.ts';

const MEASURE_EVERY = 60_000;
/** Milliseconds by which this machine's two clocks may come apart between two looks. */
const APART = 500;

/** Keeps an eye on servers, connections and clock while the store is open; gives what ends that. */
export function watchOver(servers: PostgresServers, readers: Readers, clock: ServerClock): () => void {
  const measure = async () => clock.measure(await readers.connected());
  let apart = Date.now() - performance.now();
  const look = () => {
    // The clock that the offset is kept against stood still if the machine was paused meanwhile.
    const before = apart;
    apart = Date.now() - performance.now();
    if (Math.abs(apart - before) > APART) measure().catch(() => undefined);
    return Promise.allSettled([readers.touch(), servers.lookAround()]);
  };
  const looking = setInterval(() => void look(), servers.target.watchEvery).unref();
  const measuring = setInterval(() => measure().catch(() => undefined), MEASURE_EVERY).unref();
  return () => {
    clearInterval(looking);
    clearInterval(measuring);
  };
}
