import { after, test } from 'node:test';
import { openRedis } from '../../src/engines/redis/open.ts';
import { holdToPromises } from '../core/storage/conformance/all.ts';
import { holdToLasting, type MakePlace } from '../core/storage/conformance/lasting.ts';
import { NOW } from '../core/storage/conformance/samples.ts';
import { afterwards } from '../service/afterwards.ts';
import { Postgres, whyNoPostgres } from '../service/postgres.ts';
import { whyNoRedis } from '../service/redis.ts';
import { RedisCluster } from '../service/redis-cluster.ts';
import { openPostgres } from '../service/stores.ts';
import { ReusedSchemas } from './postgres/reused-schemas.ts';
import { asUserOfPage } from './redis/user-of-page.ts';

/** Long deadlines, since the machine may be busy with other tests. */
const PATIENT = { commandDeadline: 10_000, replicaDeadline: 10_000 };
const ALWAYS = { idle: Number.POSITIVE_INFINITY, age: Number.POSITIVE_INFINITY };

const why = whyNoRedis() ?? whyNoPostgres();
if (why === undefined) {
  const cluster = await RedisCluster.start();
  after(() => cluster.remove());
  const url = await asUserOfPage(cluster.url, cluster.nodes);
  const server = await Postgres.start();
  const schemas = await ReusedSchemas.on(server);
  after(async () => {
    await schemas.end();
    await server.remove();
  });
  const place: MakePlace = async (t) => {
    await cluster.flush();
    const database = await schemas.take(t);
    return async () => {
      const below = await openPostgres(database);
      const store = await openRedis(url, { store: below, lifetime: ALWAYS, clock: () => NOW }, PATIENT);
      afterwards(t, () => store.close());
      return store;
    };
  };
  holdToPromises('Redis Cluster over the PostgreSQL engine', async (t) => (await place(t))());
  holdToLasting('Redis Cluster over the PostgreSQL engine', place);
} else {
  test('Redis Cluster over the PostgreSQL engine keeps its promises', (t) => t.skip(why));
}
