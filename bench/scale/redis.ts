import { join } from 'node:path';
import type { Store } from '../../src/core/storage/store.ts';
import { openRedis } from '../../src/engines/redis/open.ts';
import { sqliteTarget } from '../../src/engines/sqlite/transfer/target.ts';
import { Redis, whyNoRedis } from '../../test/service/redis.ts';
import { openSqlite } from '../../test/service/stores.ts';
import { processorSeconds } from '../servers/processes.ts';
import type { Engine, Size } from './engine.ts';
import { digestOf, fillTarget, userOf } from './rows.ts';

const SETTINGS = ['--appendfsync', 'everysec', '--auto-aof-rewrite-percentage', '0'];
const DAY = 24 * 60 * 60_000;
/** Tickets in one write unit while the store is filled. */
const BATCH = 1_000;
/** Users whose state is put into Redis, to measure the bytes of one. */
const REMEMBERED = 20_000;

async function usedMemory(server: Redis): Promise<number> {
  const info = await server.ask(['INFO', 'memory']);
  return Number(/^used_memory:(\d+)/m.exec(info)?.[1]);
}

async function issueAll(store: Store, size: Size, say: (progress: string) => void): Promise<void> {
  const now = Date.now();
  for (let from = 0; from < size.tickets; from += BATCH) {
    await store.write(async ({ tickets }) => {
      for (let number = from; number < Math.min(from + BATCH, size.tickets); number += 1) {
        const userId = userOf(number, size);
        const ticket = { digest: digestOf(number, userId), userId, userGeneration: 0, serverGeneration: 0 };
        await tickets.issue({ ...ticket, issuedAt: now, usedAt: now });
      }
    });
    if ((from + BATCH) % 1_000_000 === 0) say(`${from + BATCH} tickets`);
  }
}

/** One Redis server on this machine, over the embedded store. */
export const redis: Engine = {
  name: 'redis',
  about: `one server, ${SETTINGS.join(' ')}, over sqlite; an issued ticket costs a commit there, too`,
  keptIn: 'memory',
  async fill(size, folder, say) {
    const why = whyNoRedis();
    if (why !== undefined) throw new Error(why);
    const data = join(folder, `redis-${size.tickets}`);
    await fillTarget(sqliteTarget(data, 'bench'), { ...size, tickets: 0 }, say);
    const server = await Redis.start(...SETTINGS);
    try {
      const lifetime = { idle: DAY, age: DAY };
      const store = await openRedis(server.url, { store: openSqlite(data), lifetime, clock: Date.now });
      const empty = await usedMemory(server);
      await issueAll(store, size, say);
      return {
        store,
        async bytes() {
          const filled = await usedMemory(server);
          const few = Math.min(REMEMBERED, size.users);
          for (let number = 0; number < few; number += 1)
            await store.read((unit) => unit.tickets.find(digestOf(number, userOf(number, size))));
          const remembered = (await usedMemory(server)) - filled;
          return { tickets: filled - empty, users: (remembered / few) * size.users };
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
