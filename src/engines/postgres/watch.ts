import { statement } from '../sql/statement.ts';
import type { PostgresConnection } from './connection.ts';
import type { ReadPools } from './pools.ts';
import type { PostgresServers } from './servers.ts';

/** How often the server's clock is measured, in milliseconds. */
const MEASURE_EVERY = 60_000;
/** How far this machine's two clocks may drift apart between two looks, in milliseconds. */
const MOST_DRIFT = 500;

/** Watches servers, connections and clock while the store is open. Returns a function that ends the watch. */
export function watchOver(
  servers: PostgresServers,
  { validations, others }: ReadPools,
  clock: ServerClock,
): () => void {
  const measure = async () => clock.measure(await validations.connected());
  let difference = Date.now() - performance.now();
  const look = () => {
    // While a machine is paused its monotonic clock stands still, and the measured offset is wrong afterwards.
    const before = difference;
    difference = Date.now() - performance.now();
    if (Math.abs(difference - before) > MOST_DRIFT) measure().catch(() => undefined);
    return Promise.allSettled([validations.touch(), others.touch(), servers.findNewerPrimary()]);
  };
  const looking = setInterval(() => void look(), servers.target.watchEvery).unref();
  const measuring = setInterval(() => measure().catch(() => undefined), MEASURE_EVERY).unref();
  return () => {
    clearInterval(looking);
    clearInterval(measuring);
  };
}

const NOW = statement(
  'clock',
  'now',
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8::text AS now',
);
const SAMPLES = 3;

/**
 * The server's clock, by which all instances judge. It is kept as an offset from this process's monotonic clock, so that
 * a step of this machine's own clock changes nothing.
 */
export class ServerClock {
  #offset = performance.timeOrigin;

  /** Epoch milliseconds. */
  now(): number {
    return Math.round(performance.now() + this.#offset);
  }

  /** Measures the offset again, by the quickest of a few answers. */
  async measure(connection: PostgresConnection): Promise<void> {
    let quickest = Number.POSITIVE_INFINITY;
    for (let sample = 0; sample < SAMPLES; sample++) {
      const start = performance.now();
      const [row] = await connection.rows(NOW);
      const answered = performance.now();
      if (answered - start >= quickest) continue;
      quickest = answered - start;
      this.#offset = Number(row?.now) - (start + answered) / 2;
    }
  }
}
