import type { DatabaseSync } from 'node:sqlite';
import { type ReadUnit, type Store, StoreUnavailable } from '../store.ts';
import { attemptsOn } from './attempts.ts';
import { clientsOn } from './clients.ts';
import { Commits } from './commits.ts';
import { translated } from './errors.ts';
import { eventsOn } from './events.ts';
import { HeldTickets } from './held-tickets.ts';
import { nodesOn } from './nodes.ts';
import { lookUp, ticketsOn } from './tickets.ts';
import { usersOn } from './users.ts';
import { Writer } from './writer.ts';

/** A database that is open: one connection writes, another reads what is committed. */
export interface Connections {
  readonly file: string;
  readonly writing: DatabaseSync;
  readonly reading: DatabaseSync;
}

const nounsOn = (db: DatabaseSync) => ({
  users: usersOn(db),
  tickets: ticketsOn(db),
  attempts: attemptsOn(db),
  events: eventsOn(db),
  nodes: nodesOn(db),
  clients: clientsOn(db),
});

/** The store on an open database, which it closes in the end. */
export function storeOn({ file, writing, reading }: Connections): Store {
  const commits = new Commits(file);
  const held = new HeldTickets(commits, lookUp(reading), writing);
  const written = nounsOn(writing);
  const noted = { tickets: held.notingTickets(written.tickets), users: held.notingUsers(written.users) };
  const writer = new Writer(writing, { ...written, ...noted }, held);
  const read = nounsOn(reading);
  const readUnit: ReadUnit = {
    ...read,
    tickets: { ...read.tickets, find: async (digest) => held.find(digest) },
  };
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
        return await work(readUnit);
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
