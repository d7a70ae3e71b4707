import type { PostgresConnection } from './connection.ts';
import { statement } from './statement.ts';

const NOW = statement(
  'clock',
  'now',
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8::text AS now',
);
const SAMPLES = 3;

/**
 * The server's clock, which all instances judge by. It is kept as the offset against this process's monotonic clock,
 * so that a step of this machine's own clock changes nothing.
 */
export class ServerClock {
  #offset = performance.timeOrigin;

  /** Epoch milliseconds. */
  now(): number {
    return Math.round(performance.now() + this.#offset);
  }

  /** Measures the offset anew, by the quickest of a few answers. */
  async measure(connection: PostgresConnection): Promise<void> {
    let quickest = Number.POSITIVE_INFINITY;
    for (let sample = 0; sample < SAMPLES; sample++) {
      const asked = performance.now();
      const [row] = await connection.rows(NOW);
      const answered = performance.now();
      if (answered - asked >= quickest) continue;
      quickest = answered - asked;
      this.#offset = Number(row?.now) - (asked + answered) / 2;
    }
  }
}
