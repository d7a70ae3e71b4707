import type { ReadUnit } from '../../core/storage/store.ts';
import { withMembers } from '../../core/storage/unit-members.ts';
import type { RedisServers } from './servers.ts';
import type { RedisReads } from './units.ts';

/** Makes read units of the database's, with tickets and counters from Redis. An engine gives out the same read unit for every call. */
export function readUnitsOn(reads: RedisReads, servers: RedisServers): (sql: ReadUnit) => ReadUnit {
  const units = new WeakMap<ReadUnit, ReadUnit>();
  return (sql) => {
    const cached = units.get(sql);
    if (cached !== undefined) return cached;
    const unit = readUnitOn(sql, reads, servers);
    units.set(sql, unit);
    return unit;
  };
}

function readUnitOn(
  sql: ReadUnit,
  { tickets, counters, groupCache }: RedisReads,
  servers: RedisServers,
): ReadUnit {
  const { attempts } = sql;
  return withMembers(sql, {
    tickets: {
      find: (digest, passes) => tickets.find(digest, sql, passes),
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
      async throttleState(attempt) {
        const [state, found] = await Promise.all([
          attempts.throttleState(attempt),
          counters.findAll(attempt.keys),
        ]);
        return { ...state, counters: found };
      },
    },
  });
}
