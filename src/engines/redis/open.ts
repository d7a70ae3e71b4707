import { tracingChannel } from 'node:diagnostics_channel';
import type { Finding } from '../../core/domain/finding.ts';
import type { Lifetime } from '../../core/domain/ticket.ts';
import { type Store, StoreUnavailable } from '../../core/storage/store.ts';
import { Commit, type CommitParts } from './commit.ts';
import { Counters } from './counters.ts';
import { reportsOf } from './durability.ts';
import { inBothWords } from './errors.ts';
import { GroupCache } from './group-cache.ts';
import { endTicketsOf, LostWrites } from './lost-writes.ts';
import { readUnitsOn } from './read-unit.ts';
import { RedisServers } from './servers.ts';
import { type OwnedTarget, type RedisOptions, shownTarget, targetOf } from './target.ts';
import { onceMoved, RedisTickets } from './tickets.ts';
import { type RedisReads, RedisUnit } from './units.ts';
import { UserCache } from './user-cache.ts';

/** What the ticket store is built on, and the rules by which tickets end. */
interface Underlying {
  /** Keeps everything but tickets and counters. Closed with the ticket store. */
  readonly store: Store;
  readonly lifetime: Lifetime;
  /** The clock that tickets are judged by, in epoch milliseconds. */
  readonly clock: () => number;
}

/** A store whose tickets and counters of failures are kept in Redis. */
export interface RedisStore extends Store {
  /** What an operator should mend in the servers. A `fault` is a reason not to start with them. */
  findings(): Promise<Finding[]>;
  /** The version of each master, such as `Redis 7.2.4 at host:6379`. */
  versions(): Promise<string[]>;
}

/**
 * Opens the ticket store that `url` names (`redis://user@host1:6379,host2:6379`) over the database. Throws
 * {@link StoreUnavailable} with a sentence for the operator when it cannot be used.
 */
export async function openRedis(
  url: string,
  underlying: Underlying,
  options?: RedisOptions,
): Promise<RedisStore> {
  const target = targetOf(url, options);
  const { store: sql } = underlying;
  const database = await sql.read(({ users }) => users.databaseId());
  const lostWrites = new LostWrites(sql, underlying.clock);
  const check: OwnedTarget['check'] = (send) => lostWrites.check(send);
  const servers = new RedisServers({ ...target, database, check });
  try {
    await servers.open();
  } catch (error) {
    servers.close();
    throw new StoreUnavailable(
      `cannot use the ticket store at ${shownTarget(target)}: ${inBothWords(error)}`,
      {
        cause: error,
      },
    );
  }
  return storeOn(servers, lostWrites, underlying);
}

/** Publishes each unit with its engine and its access. */
const published = tracingChannel('tessera:store');
const READ = { engine: 'redis', access: 'read' };
const WRITE = { engine: 'redis', access: 'write' };

/** How often the time is written to each master, in milliseconds. */
const BEAT_EVERY = 1_000;

/** Writes the time to each master again and again. A server that cannot be reached is checked when it is connected again. */
function startBeats(servers: RedisServers, lostWrites: LostWrites): NodeJS.Timeout {
  const beat = async () => {
    const masters = await servers.eachMaster();
    await Promise.allSettled(masters.map(({ send, here }) => lostWrites.beat(send, here)));
  };
  return setInterval(() => void beat(), BEAT_EVERY).unref();
}

/** How write units run: the database commits between the two parts of what they write to Redis. */
function unitsOn(sql: Store, reads: RedisReads, parts: CommitParts): Store['write'] {
  const once: Store['write'] = async (work) => {
    let commit: Commit | undefined;
    const value = await sql.write(async (unit) => {
      const own = new RedisUnit(unit, reads);
      const done = await work(own.unit);
      commit = new Commit(own.staged, parts);
      await commit.before(unit);
      return done;
    });
    await commit?.after();
    return value;
  };
  // The whole unit again: over SQLite the move may wait for the commit that this unit shares.
  return (work) => onceMoved(() => once(work));
}

function storeOn(
  servers: RedisServers,
  lostWrites: LostWrites,
  { store: sql, lifetime, clock }: Underlying,
): RedisStore {
  const userCache = new UserCache(servers, sql);
  const [tickets, counters] = [new RedisTickets(servers, userCache), new Counters(servers, clock)];
  const reads = { tickets, counters, groupCache: new GroupCache(servers, userCache) };
  const readUnit = readUnitsOn(reads, servers);
  const parts = { servers, userCache, counters, lifetime, clock };
  const write = unitsOn(sql, reads, parts);
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const tracked = <T>(unit: Promise<T>): Promise<T> => {
    underWay.add(unit);
    return unit.finally(() => underWay.delete(unit));
  };

  lostWrites.onElsewhere = (revoked) =>
    void tracked(write((unit) => endTicketsOf(unit, revoked, clock()))).catch(() => undefined);
  const beats = startBeats(servers, lostWrites);

  async function close(): Promise<void> {
    clearInterval(beats);
    const database = sql.close();
    await Promise.allSettled([database, userCache.close()]);
    await Promise.allSettled(underWay);
    servers.close();
    await database;
  }

  return {
    read(work) {
      const run = () => sql.read((unit) => work(readUnit(unit)));
      return published.hasSubscribers ? published.tracePromise(run, { ...READ }) : run();
    },
    write(work) {
      const run = () => tracked(write(work));
      return published.hasSubscribers ? published.tracePromise(run, { ...WRITE }) : run();
    },
    ...reportsOf(servers),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
