import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ReadUnit, type Store, StoreUnavailable } from '../store.ts';
import { attemptsOn } from './attempts.ts';
import { translated } from './errors.ts';
import { eventsOn } from './events.ts';
import { migrate } from './migrate.ts';
import { nodesOn } from './nodes.ts';
import { ticketsOn } from './tickets.ts';
import { usersOn } from './users.ts';
import { Writer } from './writer.ts';

const FILE = 'tessera.db';

const nounsOn = (db: DatabaseSync) => ({
  users: usersOn(db),
  tickets: ticketsOn(db),
  attempts: attemptsOn(db),
  events: eventsOn(db),
  nodes: nodesOn(db),
});

function connect(file: string): { writing: DatabaseSync; reading: DatabaseSync } {
  // The time-out serves opening and migrating only, before anything is served.
  const writing = new DatabaseSync(file, { timeout: 10_000 });
  try {
    migrate(writing);
    // A copy that another tool made (VACUUM INTO) may have left WAL.
    writing.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0');
    return { writing, reading: new DatabaseSync(file, { readOnly: true, timeout: 1_000 }) };
  } catch (error) {
    writing.close();
    throw error;
  }
}

/** What went wrong with a data folder, in one sentence an operator can act on. */
function explained(folder: string, error: unknown): StoreUnavailable {
  const cause = translated(error);
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreUnavailable(`cannot use the data folder ${folder}: ${why}`, { cause: error });
}

/**
 * Opens the embedded store in `folder`, which is made when it is missing (mode 0700). Throws {@link StoreUnavailable}
 * with a sentence for the operator when it cannot be used, and leaves the file as it was.
 */
export function openSqlite(folder: string): Store {
  let connections: ReturnType<typeof connect>;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    connections = connect(join(folder, FILE));
  } catch (error) {
    throw explained(folder, error);
  }
  const { writing, reading } = connections;
  const writer = new Writer(writing, nounsOn(writing));
  const readUnit: ReadUnit = nounsOn(reading);

  return {
    async read(work) {
      try {
        return await work(readUnit);
      } catch (error) {
        throw translated(error);
      }
    },
    write: (work) => writer.run(work),
    async close() {
      await writer.close();
      if (reading.isOpen) reading.close();
      if (writing.isOpen) writing.close();
    },
  };
}
