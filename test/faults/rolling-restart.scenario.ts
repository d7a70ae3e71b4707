import type { TestContext } from 'node:test';
import { whyNoNginx } from '../service/nginx.ts';
import { testsOnOwnPostgres } from '../service/postgres.ts';
import { whyNoRedis } from '../service/redis.ts';
import { RedisCluster } from '../service/redis-cluster.ts';
import { loadedBehindNginx } from './behind-nginx.ts';
import { SECONDS, whyTooShort } from './length.ts';
import { DURABLE } from './on-postgres.ts';

const test = await testsOnOwnPostgres(...DURABLE);

/** Restarts both instances in turn under load, as long as a scenario lasts. */
async function roll(t: TestContext, database: string, settings: Record<string, string>): Promise<void> {
  await loadedBehindNginx(t, database, settings, async (places) => {
    const began = performance.now();
    let restarts = 0;
    while (performance.now() - began < SECONDS * 1_000)
      for (const place of places) {
        await place.stop();
        await place.start();
        restarts += 1;
      }
    t.diagnostic(`${restarts} restarts`);
  });
}

test('two instances behind nginx are restarted in turn, and no request fails', async (t, server) => {
  const why = whyNoNginx();
  if (why !== undefined) t.skip(why);
  else await roll(t, await server.freshDatabase(), {});
});

test('two instances of two workers, with tickets in a Redis Cluster, are restarted in turn, and no request fails', async (t, server) => {
  const why = whyTooShort() ?? whyNoNginx() ?? whyNoRedis();
  if (why !== undefined) return t.skip(why);
  const cluster = await RedisCluster.start({ nodeTimeout: 2_000 });
  t.after(() => cluster.remove());
  await roll(t, await server.freshDatabase(), { TESSERA_TICKETS: cluster.url, TESSERA_WORKERS: '2' });
});
