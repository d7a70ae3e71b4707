import type { Lifetime } from '../../domain/ticket.ts';
import { type Store, StoreUnavailable, type WriteUnit } from '../store.ts';
import { Commit } from './commit.ts';
import { Counters } from './counters.ts';
import { inBothWords } from './errors.ts';
import { type Health, healthOf } from './health.ts';
import { readUnitOn } from './read-unit.ts';
import { RedisServers } from './servers.ts';
import { type RedisOptions, shownTarget, targetOf } from './target.ts';
import { TicketsKept } from './tickets-kept.ts';
import { TicketUnit } from './unit.ts';
import { UserCache } from './user-cache.ts';

/** What the ticket store is put over, and by which rules tickets end. */
export interface Below {
  /** Keeps all but tickets and counters; closed with the whole. */
  readonly store: Store;
  readonly lifetime: Lifetime;
  /** Epoch milliseconds: the clock that tickets are judged by. */
  readonly clock: () => number;
}

/** A store whose tickets and counters of failures are kept in Redis. */
export interface RedisStore extends Store {
  /** What the operator should know of the servers. */
  health(): Promise<Health>;
}

/**
 * Opens the ticket store that `url` names (`redis://user@host1:6379,host2:6379`) over the database. Throws
 * {@link StoreUnavailable} with a sentence for the operator when it cannot be used.
 */
export async function openRedis(url: string, below: Below, options?: RedisOptions): Promise<RedisStore> {
  const target = targetOf(url, options);
  const { store: sql } = below;
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
  return storeOn(servers, below);
}

function storeOn(servers: RedisServers, { store: sql, lifetime, clock }: Below): RedisStore {
  const facts = new UserCache(servers, sql);
  const [tickets, counters] = [new TicketsKept(servers, facts), new Counters(servers, clock)];
  const kept = { tickets, counters };
  const parts = { servers, facts, counters, lifetime, clock };
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  async function write<T>(work: (unit: WriteUnit) => Promise<T>): Promise<T> {
    let commit: Commit | undefined;
    const value = await sql.write(async (unit) => {
      const own = new TicketUnit(unit, kept);
      const done = await work(own.nouns);
      commit = new Commit(own.staged, parts);
      await commit.close(unit);
      return done;
    });
    await commit?.open();
    return value;
  }

  async function tracked<T>(unit: Promise<T>): Promise<T> {
    underWay.add(unit);
    return unit.finally(() => underWay.delete(unit));
  }

  async function close(): Promise<void> {
    const below = sql.close();
    await Promise.allSettled([below, facts.close()]);
    await Promise.allSettled(underWay);
    servers.close();
    await below;
  }

  return {
    read: (work) => sql.read((unit) => work(readUnitOn(unit, kept, servers))),
    write: (work) => tracked(write(work)),
    health: () => healthOf(servers),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
