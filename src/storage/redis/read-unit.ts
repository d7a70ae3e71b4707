import type { ReadUnit } from '../store.ts';
import type { RedisServers } from './servers.ts';
import type { RedisReads } from './unit.ts';

/** A read unit on the database whose tickets and counters come from Redis. */
export function readUnitOn(
  sql: ReadUnit,
  { tickets, counters }: RedisReads,
  servers: RedisServers,
): ReadUnit {
  const { attempts } = sql;
  return {
    ...sql,
    tickets: {
      find: (digest) => tickets.find(digest, sql),
      listOf: (userId) => tickets.listOf(userId),
      countOf: (userId) => tickets.countOf(userId),
      page: (after, limit) => tickets.page(after, limit, sql),
      async serverGeneration() {
        // Asked for to learn whether the store answers, too: that takes both.
        const [generation] = await Promise.all([sql.tickets.serverGeneration(), servers.answers()]);
        return generation;
      },
    },
    attempts: {
      async standing(asked) {
        const [kept, found] = await Promise.all([attempts.standing(asked), counters.findAll(asked.keys)]);
        return { ...kept, counters: found };
      },
    },
  };
}
