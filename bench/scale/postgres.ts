import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { postgresTarget } from '../../src/storage/postgres/transfer/target.ts';
import { Postgres, whyNoPostgres } from '../../test/service/postgres.ts';
import { cpuSeconds } from './cpu.ts';
import type { Engine } from './engine.ts';
import { fillTarget } from './rows.ts';

const SETTINGS = ['fsync = on', 'shared_buffers = 1GB', 'max_wal_size = 4GB'];

/** The server's first process and those that it has made. */
function processesOf({ data }: Postgres): number[] {
  const first = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return (
        readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[1] === String(first)
      );
    } catch {
      return false;
    }
  });
  return [first, ...children.map(Number)];
}

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
        serverSeconds: () => processesOf(server).reduce((sum, pid) => sum + cpuSeconds(pid), 0),
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
