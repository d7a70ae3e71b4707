import type { MigrationStatus, WhenOlder } from '../migration.ts';
import type { ReadUnit, Store } from '../store.ts';
import { attemptsRead } from './attempts.ts';
import { clientsRead } from './clients.ts';
import { ServerClock } from './clock.ts';
import type { PostgresConnection } from './connection.ts';
import { lossAtPromotion } from './durability.ts';
import { eventsRead } from './events.ts';
import { migrate, migrationStatus } from './migrate.ts';
import { nodesRead } from './nodes.ts';
import { Readers } from './readers.ts';
import { onServer, type PostgresServers } from './servers.ts';
import { type PostgresOptions, targetOf } from './target.ts';
import { TicketFinds } from './ticket-finds.ts';
import { ticketsRead } from './tickets.ts';
import { refuseHalfCopy } from './transfer/mark.ts';
import { Units } from './units.ts';
import { usersRead } from './users.ts';
import { watchOver } from './watch.ts';
import { write } from './write.ts';
import { Writers } from './writers.ts';

/** A store on a PostgreSQL server, which any number of instances may share. */
export interface PostgresStore extends Store {
  /** The server's clock, in epoch milliseconds. */
  readonly clock: () => number;
  /** Why the promotion of a standby could lose what was acknowledged; nothing when it cannot. */
  lossAtPromotion(): Promise<string | undefined>;
}

/** Every migration that this version knows, and when the database had it. Changes nothing. */
export async function postgresMigrations(url: string, options?: PostgresOptions): Promise<MigrationStatus[]> {
  return onServer(targetOf(url, options), async (servers) => {
    const connection = await servers.connect();
    return migrationStatus(connection).finally(() => connection.close());
  });
}

/**
 * Opens the store in the database that `url` names (`postgres://user@host1,host2/database`), and brings its schema up
 * to date, unless told to refuse an older one. Throws `StoreUnavailable` with a sentence for the operator when it
 * cannot be used, or is newer.
 */
export async function openPostgres(
  url: string,
  options?: PostgresOptions,
  whenOlder: WhenOlder = 'migrate',
): Promise<PostgresStore> {
  const target = targetOf(url, options);
  return onServer(target, async (servers) => {
    const connection = await servers.connect(0);
    await readied(connection, whenOlder).finally(() => connection.close());
    const clock = new ServerClock();
    const readers = new Readers(servers, (reader) => clock.measure(reader));
    await readers.connected();
    return storeOn(servers, readers, clock);
  });
}

async function readied(connection: PostgresConnection, whenOlder: WhenOlder): Promise<void> {
  await refuseHalfCopy(connection);
  await migrate(connection, whenOlder);
}

function storeOn(servers: PostgresServers, readers: Readers, clock: ServerClock): PostgresStore {
  const writers = new Writers(servers);
  const finds = new TicketFinds(readers, servers.target.readers);
  const readUnit: ReadUnit = {
    users: usersRead(readers),
    tickets: { ...ticketsRead(readers), find: (digest) => finds.find(digest) },
    attempts: attemptsRead(readers),
    events: eventsRead(readers),
    nodes: nodesRead(readers),
    clients: clientsRead(readers),
  };
  const units = new Units();
  const endWatch = watchOver(servers, readers, clock);
  return {
    clock: () => clock.now(),
    read: (work) => units.run(async () => work(readUnit)),
    write: (work) => units.run(() => write(writers, work)),
    lossAtPromotion: () => units.run(() => lossAtPromotion(readers)),
    async close() {
      endWatch();
      await units.close();
      await Promise.all([readers.close(), writers.close()]);
    },
  };
}
