import type { ServerClock } from './clock.ts';
import type { Readers } from './readers.ts';
import type { Servers } from './servers.ts';

const MEASURE_EVERY = 60_000;

/** Keeps an eye on servers, connections and clock while the store is open; gives what ends that. */
export function watchOver(servers: Servers, readers: Readers, clock: ServerClock): () => void {
  const look = () => Promise.allSettled([readers.touch(), servers.lookAround()]);
  const measure = async () => clock.measure(await readers.connected());
  const looking = setInterval(() => void look(), servers.target.watchEvery).unref();
  const measuring = setInterval(() => measure().catch(() => undefined), MEASURE_EVERY).unref();
  return () => {
    clearInterval(looking);
    clearInterval(measuring);
  };
}
