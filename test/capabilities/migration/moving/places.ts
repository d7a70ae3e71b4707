import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import type { Store } from '../../../../src/core/storage/store.ts';
import type { TransferSource, TransferTarget } from '../../../../src/core/storage/transfer-sides.ts';
import { postgresSource } from '../../../../src/engines/postgres/transfer/source.ts';
import { postgresTarget } from '../../../../src/engines/postgres/transfer/target.ts';
import { databaseIn } from '../../../../src/engines/sqlite/data-folder.ts';
import { sqliteSource } from '../../../../src/engines/sqlite/transfer/source.ts';
import { sqliteTarget } from '../../../../src/engines/sqlite/transfer/target.ts';
import { afterwards } from '../../../service/afterwards.ts';
import type { Postgres } from '../../../service/postgres.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { openPostgres, openSqlite } from '../../../service/stores.ts';

/** A place for a store, empty at first. Whatever is still open after the test is closed. */
export interface TestPlace {
  /** Its name on the command line. */
  readonly written: string;
  open(): Promise<Store>;
  /** Writes without the store, and without waiting for a lock. */
  scribble(): Promise<unknown>;
  source(): Promise<TransferSource>;
  target(source: Pick<TransferSource, 'identity' | 'label'>): Promise<TransferTarget>;
}

const SCRIBBLE = 'UPDATE users SET generation = generation + 1 WHERE id = 2';

type Closing = { close(): Promise<void> };

function closedAfter(t: TestContext) {
  return async <T extends Closing>(opening: Promise<T> | T): Promise<T> => {
    const opened = await opening;
    afterwards(t, () => opened.close());
    return opened;
  };
}

/** A data folder. */
export async function sqlitePlace(t: TestContext): Promise<TestPlace> {
  const [folder, closed] = [await temporaryFolder(t), closedAfter(t)];
  return {
    written: `sqlite:${folder}`,
    open: async () => closed(openSqlite(folder)),
    async scribble() {
      using db = new DatabaseSync(databaseIn(folder), { timeout: 0 });
      db.exec(SCRIBBLE);
    },
    source: async () => closed(sqliteSource(folder)),
    target: async ({ identity }) => closed(sqliteTarget(folder, identity)),
  };
}

/** A database of its own: the copy checks who else is connected to it. */
export async function postgresPlace(t: TestContext, server: Postgres, given?: string): Promise<TestPlace> {
  const [url, closed] = [given ?? (await server.freshDatabase()), closedAfter(t)];
  return {
    written: url,
    open: () => closed(openPostgres(url)),
    scribble: () => server.ask(`SET lock_timeout = 100; ${SCRIBBLE}`, url),
    source: () => closed(postgresSource(url)),
    target: ({ identity, label: shown }) => closed(postgresTarget(url, { identity, source: shown })),
  };
}
