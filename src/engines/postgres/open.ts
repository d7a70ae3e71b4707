import { tracingChannel } from 'node:diagnostics_channel';
import type { Digest } from '../../core/domain/ticket.ts';
import type { MaybePromise } from '../../core/maybe-promise.ts';
import type { MigrationStatus } from '../../core/storage/opened-store.ts';
import {
  type CoreReadUnit,
  type ReadUnit,
  type Store,
  StoreUnavailable,
  type TicketsRead,
  type WriteUnit,
} from '../../core/storage/store.ts';
import { Changes, TicketCache } from '../cache/recently-read.ts';
import type { WhenOlder } from '../sql/migration.ts';
import { clientsRead, peopleRead } from '../sql/people.ts';
import { statement, type UnitTable } from '../sql/statement.ts';
import { readUnitOf } from '../sql/tables.ts';
import { usersRead } from '../sql/users.ts';
import { attemptsRead } from './attempts.ts';
import type { PostgresConnection } from './connection.ts';
import { type PostgresReport, postgresReport } from './durability.ts';
import { translated } from './errors.ts';
import { eventsRead } from './events.ts';
import { type CopyRehearsal, migrate, migrationStatus, rehearse } from './migrate.ts';
import { ReadPool, type ReadPools, WritePool } from './pools.ts';
import { Revocations, sweepRevocations } from './revocations.ts';
import { onServer, type PostgresServers } from './servers.ts';
import { type PostgresOptions, targetOf } from './target.ts';
import { BatchedTicketLookup, ticketsRead } from './tickets.ts';
import { write } from './transaction.ts';
import { refuseHalfCopy } from './transfer/mark.ts';
import { SEARCH } from './user-search.ts';

/** How often the server's clock is measured, in milliseconds. */
const MEASURE_EVERY = 60_000;
/** How far this machine's two clocks may drift apart between two looks, in milliseconds. */
const MOST_DRIFT = 500;

/** Watches servers, connections and clock while the store is open. Returns a function that ends the watch. */
export function watchOver(
  servers: PostgresServers,
  { validations, others }: ReadPools,
  revocations: Revocations,
  clock: ServerClock,
): () => void {
  const measure = async () => clock.measure(await validations.connected());
  let difference = Date.now() - performance.now();
  const look = () => {
    // While a machine is paused its monotonic clock stands still, and the measured offset is wrong afterwards.
    const before = difference;
    difference = Date.now() - performance.now();
    if (Math.abs(difference - before) > MOST_DRIFT) measure().catch(() => undefined);
    return Promise.allSettled([
      revocations.upToDate(),
      sweepRevocations(others),
      others.touch(),
      servers.findNewerPrimary(),
    ]);
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

/** A store on a PostgreSQL server, which any number of instances may share. */
export interface PostgresStore extends Store {
  /** The server's clock, in epoch milliseconds. */
  readonly clock: () => number;
  /** Asks the server which accidents lose an acknowledged write. */
  report(): Promise<PostgresReport>;
}

/** Every migration that this version knows, and when the database was given it. Changes nothing. */
export async function postgresMigrations(url: string, options?: PostgresOptions): Promise<MigrationStatus[]> {
  return onServer(targetOf(url, options), async (servers) => {
    const connection = await servers.connect();
    return migrationStatus(connection).finally(() => connection.close());
  });
}

/** Tries the missing migrations on a copy of the database of the service that nobody uses, and takes them back. */
export async function rehearseOnPostgres(
  url: string,
  service: string,
  options?: PostgresOptions,
): Promise<CopyRehearsal> {
  return onServer(targetOf(service, options), async (own) => {
    // A database that others are connected to is refused, and so the service's own, however its URL is written.
    const held = await own.connect();
    return onServer(targetOf(url, options), async (servers) => {
      const connection = await servers.connect(0);
      return rehearse(connection).finally(() => connection.close());
    }).finally(() => held.close());
  });
}

/**
 * Opens the store in the database that `url` names (`postgres://user@host1,host2/database`), with the
 * tables of these capabilities. Migrates an older schema, or
 * refuses it if told so. Throws {@link StoreUnavailable} with a sentence for the operator when the database cannot be used
 * or its schema is newer.
 */
export async function openPostgres(
  url: string,
  tables: readonly UnitTable[],
  options?: PostgresOptions,
  whenOlder: WhenOlder = 'migrate',
): Promise<PostgresStore> {
  const target = targetOf(url, options);
  return onServer(target, async (servers) => {
    const connection = await servers.connect(0);
    await prepare(connection, whenOlder).finally(() => connection.close());
    const clock = new ServerClock();
    const onConnected = (reader: PostgresConnection) => clock.measure(reader);
    const pools = {
      validations: new ReadPool(servers, 1, async (reader) => {
        await reader.text(ONE_PLAN);
        await onConnected(reader);
      }),
      others: new ReadPool(servers, target.readers, onConnected),
    };
    // One after the other: the first one looks for the writable server.
    await pools.validations.connected();
    await pools.others.connected();
    return storeOn(servers, pools, clock, tables);
  });
}

/** To plan the question for revocations each time would cost as much as the answer. */
const ONE_PLAN = 'SET plan_cache_mode = force_generic_plan';

async function prepare(connection: PostgresConnection, whenOlder: WhenOlder): Promise<void> {
  await refuseHalfCopy(connection);
  await migrate(connection, whenOlder);
}

/** Publishes each unit with its engine and its access. */
const published = tracingChannel('tessera:store');
const READ = { engine: 'postgresql', access: 'read' };
const WRITE = { engine: 'postgresql', access: 'write' };

/** How many statements for validations may be under way at once. */
const LOOKUPS_AT_ONCE = 2;
const always = () => true;

/** Looks tickets up in memory, and on the server where that does not know them. */
function cachedLookup(
  validations: ReadPool,
  changes: Changes,
  upToDate: () => Promise<void>,
  most: number | undefined,
): TicketsRead['find'] {
  const lookup = new BatchedTicketLookup(validations, LOOKUPS_AT_ONCE);
  const cache = new TicketCache(changes, most);
  return async (digest, passes = always) => {
    const confirmed = await cache.confirm(digest, passes, upToDate);
    if (confirmed !== undefined) return confirmed;
    const since = changes.now;
    const heldTicket = await lookup.find(digest);
    if (heldTicket !== undefined) cache.keep(heldTicket, since);
    return heldTicket;
  };
}

function readUnitOn(
  { validations, others }: ReadPools,
  find: TicketsRead['find'],
  tables: readonly UnitTable[],
): ReadUnit {
  const { serverGeneration, originsOf } = ticketsRead(validations);
  const own: CoreReadUnit = {
    users: usersRead(others, SEARCH),
    tickets: {
      ...ticketsRead(others),
      find,
      serverGeneration,
      originsOf,
    },
    attempts: attemptsRead(others),
    events: eventsRead(others),
    ...peopleRead(others),
    clients: clientsRead(validations),
  };
  return readUnitOf(own, tables, (table) => table.read(others));
}

function storeOn(
  servers: PostgresServers,
  pools: ReadPools,
  clock: ServerClock,
  tables: readonly UnitTable[],
): PostgresStore {
  const writers = new WritePool(servers);
  const changes = new Changes();
  const revocations = new Revocations(pools.validations, changes, servers.target.validationWait);
  const find = cachedLookup(pools.validations, changes, () => revocations.upToDate(), servers.target.cache);
  const readUnit = readUnitOn(pools, find, tables);
  const units = new Units();
  const endWatch = watchOver(servers, pools, revocations, clock);
  const writeUnit = async <T>(work: (unit: WriteUnit) => Promise<T>) => {
    const uses: Digest[] = [];
    const value = await write({ writers, tables, onUse: (digest) => uses.push(digest) }, work);
    // Revocations tell of no uses: a cached ticket would seem unused, and each further use of it be written.
    for (const digest of uses) changes.note(digest);
    return value;
  };
  return {
    clock: () => clock.now(),
    read(work) {
      const run = () => units.run(() => work(readUnit));
      return published.hasSubscribers ? published.tracePromise(run, { ...READ }) : run();
    },
    write(work) {
      const run = () => units.run(() => writeUnit(work));
      return published.hasSubscribers ? published.tracePromise(run, { ...WRITE }) : run();
    },
    report: () => units.run(() => postgresReport(pools.others)),
    async close() {
      endWatch();
      await units.close();
      await Promise.all([pools.validations, pools.others, writers].map((pool) => pool.close()));
    },
  };
}

/** Runs units, and at the end waits for the ones under way. */
class Units {
  #underWay = 0;
  #closed = false;
  readonly #done = Promise.withResolvers<void>();

  async run<T>(work: () => MaybePromise<T>): Promise<T> {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
    this.#underWay += 1;
    try {
      return await work();
    } catch (error) {
      throw translated(error);
    } finally {
      this.#underWay -= 1;
      if (this.#closed && this.#underWay === 0) this.#done.resolve();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#underWay === 0) this.#done.resolve();
    await this.#done.promise;
  }
}
