import { after, test } from 'node:test';
import { holdToPromises } from '../core/storage/conformance/all.ts';
import { holdToLasting, type MakePlace } from '../core/storage/conformance/lasting.ts';
import { NOW } from '../core/storage/conformance/samples.ts';
import { Redis, whyNoRedis } from '../service/redis.ts';
import { temporaryFolder } from '../service/start.ts';
import { openSqlite } from '../service/stores.ts';
import { openUntilEnd } from './redis/opened.ts';
import { asUserOfPage } from './redis/user-of-page.ts';

const ALWAYS = { idle: Number.POSITIVE_INFINITY, age: Number.POSITIVE_INFINITY };

const why = whyNoRedis();
if (why === undefined) {
  const redis = await Redis.start();
  after(() => redis.remove());
  const url = await asUserOfPage(redis.url, [redis]);
  const place: MakePlace = async (t) => {
    await redis.ask(['FLUSHALL']);
    const folder = await temporaryFolder(t);
    return () => openUntilEnd(t, url, { below: openSqlite(folder), lifetime: ALWAYS, clock: () => NOW });
  };
  holdToPromises('Redis over the SQLite engine', async (t) => (await place(t))());
  holdToLasting('Redis over the SQLite engine', place);
} else {
  test('Redis over the SQLite engine keeps its promises', (t) => t.skip(why));
}
