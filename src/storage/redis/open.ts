import { tracingChannel } from 'node:diagnostics_channel';
import type { Finding } from '../../domain/finding.ts';
import type { Lifetime } from '../../domain/ticket.ts';
import { type Store, StoreUnavailable, type WriteUnit } from '../store.ts';
import { Commit } from './commit.ts';
import { Counters } from './counters.ts';
import { reportsOf } from './durability.ts';
import { inBothWords } from './errors.ts';
import { GroupCache } from './group-cache.ts';
import { readUnitsOn } from './read-unit.ts';
import { RedisServers } from './servers.ts';
import { type RedisOptions, shownTarget, targetOf } from './target.ts';
import { RedisTickets } from './tickets.ts';
import { RedisUnit } from './units.ts';
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
  const servers = new RedisServers({ ...target, database });
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
  return storeOn(servers, underlying);
}

/** Publishes each unit with its engine and its access. */
const published = tracingChannel('tessera:store');
const READ = { engine: 'redis', access: 'read' };
const WRITE = { engine: 'redis', access: 'write' };

function storeOn(servers: RedisServers, { store: sql, lifetime, clock }: Underlying): RedisStore {
  const userCache = new UserCache(servers, sql);
  const [tickets, counters] = [new RedisTickets(servers, userCache), new Counters(servers, clock)];
  const reads = { tickets, counters, groupCache: new GroupCache(servers, userCache) };
  const readUnit = readUnitsOn(reads, servers);
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  async function write<T>(work: (unit: WriteUnit) => Promise<T>): Promise<T> {
    let commit: Commit | undefined;
    const value = await sql.write(async (unit) => {
      const own = new RedisUnit(unit, reads);
      const done = await work(own.unit);
      commit = new Commit(own.staged, { servers, userCache, counters, lifetime, clock });
      await commit.before(unit);
      return done;
    });
    await commit?.after();
    return value;
  }

  async function tracked<T>(unit: Promise<T>): Promise<T> {
    underWay.add(unit);
    return unit.finally(() => underWay.delete(unit));
  }

  async function close(): Promise<void> {
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
