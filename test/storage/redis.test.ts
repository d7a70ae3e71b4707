import { after, test } from 'node:test';
import { openRedis } from '../../src/storage/redis/open.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { afterwards } from '../service/afterwards.ts';
import { Redis, whyNoRedis } from '../service/redis.ts';
import { temporaryFolder } from '../service/start.ts';
import { holdToPromises } from './conformance/all.ts';
import { NOW } from './conformance/samples.ts';

/** A machine that is busy with other tests is not what is tested here. */
const PATIENT = { commandDeadline: 10_000, replicaDeadline: 10_000 };
const ALWAYS = { idle: Number.POSITIVE_INFINITY, age: Number.POSITIVE_INFINITY };

const why = whyNoRedis();
if (why === undefined) {
  const redis = await Redis.start();
  after(() => redis.remove());
  holdToPromises('Redis over the SQLite engine', async (t) => {
    await redis.ask(['FLUSHALL']);
    const below = openSqlite(await temporaryFolder(t));
    const store = await openRedis(redis.url, { store: below, lifetime: ALWAYS, clock: () => NOW }, PATIENT);
    afterwards(t, () => store.close());
    return store;
  });
} else {
  test('Redis over the SQLite engine keeps its promises', (t) => t.skip(why));
}
