import type { DatabaseSync } from 'node:sqlite';
import { type ReadUnit, type Store, StoreUnavailable } from '../store.ts';
import { attemptsOn } from './attempts.ts';
import { clientsOn } from './clients.ts';
import { translated } from './errors.ts';
import { eventsOn } from './events.ts';
import { placeCheck } from './in-place.ts';
import { NodeCache } from './node-cache.ts';
import { nodesOn } from './nodes.ts';
import { ReadCache } from './read-cache.ts';
import { standingOn } from './throttle-state.ts';
import { ThrottleStateCache } from './throttle-state-cache.ts';
import { TicketCache } from './ticket-cache.ts';
import { lookUp, ticketsOn } from './tickets.ts';
import { usersOn } from './users.ts';
import { WalWatcher } from './wal-watcher.ts';
import { SqliteWriter } from './writer.ts';

/** A database that is open: one connection writes, another reads what is committed. */
export interface Connections {
  readonly file: string;
  readonly writing: DatabaseSync;
  readonly reading: DatabaseSync;
}

const nounsOn = (db: DatabaseSync) => ({
  users: usersOn(db),
  tickets: ticketsOn(db),
  events: eventsOn(db),
  nodes: nodesOn(db),
  clients: clientsOn(db),
});

/** What units read, by what was read lately, and what they write, with what they change noted. */
function unitsBy(recent: ReadCache, reading: DatabaseSync, writing: DatabaseSync) {
  const [read, write] = [nounsOn(reading), nounsOn(writing)];
  const tickets = new TicketCache(recent, lookUp(reading));
  const standings = new ThrottleStateCache(recent, standingOn(reading));
  const nodes = new NodeCache(recent);
  const readUnit: ReadUnit = {
    ...read,
    attempts: { standing: (asked, known) => standings.find(asked, known) },
    nodes: nodes.reading(read.nodes),
    tickets: { ...read.tickets, find: (digest) => tickets.find(digest) },
  };
  const written = {
    ...write,
    users: standings.writingUsers(tickets.writingUsers(write.users)),
    attempts: standings.writing(attemptsOn(writing)),
    nodes: nodes.writing(write.nodes),
    tickets: tickets.writingTickets(write.tickets),
  };
  return { readUnit, written };
}

/** The store on an open database, which it closes in the end. */
export function storeOn({ file, writing, reading }: Connections): Store {
  const commits = new WalWatcher(file);
  const recent = new ReadCache(commits, writing);
  const { readUnit, written } = unitsBy(recent, reading, writing);
  const place = placeCheck(file);
  const writer = new SqliteWriter(writing, written, recent, place.now);
  const readsDone = Promise.withResolvers<void>();
  let reads = 0;
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    if (reads === 0) readsDone.resolve();
    await Promise.allSettled([writer.close(), readsDone.promise]);
    reading.close();
    writing.close();
    commits.close();
  }

  return {
    async read(work) {
      if (closing !== undefined) throw new StoreUnavailable('the store is closed');
      reads += 1;
      try {
        await recent.upToDate();
        place.lately();
        const done = work(readUnit);
        // Awaited, what is there already would come a turn later.
        return done instanceof Promise ? await done : done;
      } catch (error) {
        throw translated(error);
      } finally {
        reads -= 1;
        if (reads === 0 && closing !== undefined) readsDone.resolve();
      }
    },
    write: (work) => writer.run(work),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
