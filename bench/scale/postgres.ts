import { postgresTarget } from '../../src/engines/postgres/transfer/target.ts';
import { Postgres, whyNoPostgres } from '../../test/service/postgres.ts';
import { openPostgres } from '../../test/service/stores.ts';
import { processorSeconds } from '../servers/processes.ts';
import type { Engine } from './engine.ts';
import { fillTarget } from './rows.ts';

const SETTINGS = ['fsync = on', 'shared_buffers = 1GB', 'max_wal_size = 4GB'];

/** A PostgreSQL server on this machine. */
export const postgres: Engine = {
  name: 'postgres',
  about: SETTINGS.join(', '),
  keptIn: 'disk',
  async fill(size, _folder, say) {
    const why = whyNoPostgres();
    if (why !== undefined) throw new Error(why);
    const server = await Postgres.start(...SETTINGS);
    try {
      const url = await server.freshDatabase();
      await fillTarget(await postgresTarget(url, { identity: 'bench', source: 'bench' }), size, say);
      for (const settled of ['VACUUM ANALYZE', 'CHECKPOINT']) await server.ask(settled, url);
      const store = await openPostgres(url);
      return {
        store,
        async bytes() {
          const [row] = await server.ask(
            `SELECT pg_total_relation_size('tickets')::float8 AS tickets, pg_total_relation_size('users')::float8 AS users`,
            url,
          );
          return row as { tickets: number; users: number };
        },
        serverSeconds: () => processorSeconds(server.pid ?? 0) ?? 0,
        async [Symbol.asyncDispose]() {
          await store.close();
          await server.remove();
        },
      };
    } catch (error) {
      await server.remove();
      throw error;
    }
  },
};
