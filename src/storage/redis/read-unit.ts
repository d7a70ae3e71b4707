import type { ReadUnit } from '../store.ts';
import type { RedisServers } from './servers.ts';
import type { RedisReads } from './units.ts';

/** A read unit of the database, with tickets and counters from Redis. */
export function readUnitOn(
  sql: ReadUnit,
  { tickets, counters, groupCache }: RedisReads,
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
      originsOf: (issued) => tickets.originsOf(issued),
      async serverGeneration() {
        // The readiness check asks for it as well, so both have to answer.
        const [generation] = await Promise.all([sql.tickets.serverGeneration(), servers.ping()]);
        return generation;
      },
    },
    groups: { ...sql.groups, ofUser: (userId) => groupCache.ofUser(userId, sql) },
    attempts: {
      async throttleState(asked) {
        const [kept, found] = await Promise.all([
          attempts.throttleState(asked),
          counters.findAll(asked.keys),
        ]);
        return { ...kept, counters: found };
      },
    },
  };
}
