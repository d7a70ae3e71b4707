import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as postgres from '../engines/postgres/opened.ts';
import { openUntilEnd } from '../engines/redis/opened.ts';
import { testsOnPostgres } from '../service/postgres.ts';
import { Redis, whyNoRedis } from '../service/redis.ts';

const test = await testsOnPostgres();
const PAGE = new URL('../../docs/how-to/redis.md', import.meta.url);

test('a database that is given another id, as the page says, is refused at the Redis of before', async (t, server) => {
  const why = whyNoRedis();
  if (why !== undefined) return t.skip(why);
  const redis = await Redis.start();
  t.after(() => redis.remove());
  const url = await server.freshSchema();
  const open = async () => openUntilEnd(t, redis.url, { below: await postgres.openUntilEnd(t, url) });
  await open();
  const [, line = ''] = /```sql\n(.*)\n/.exec(readFileSync(PAGE, 'utf8')) ?? [];
  await server.ask(line, url);
  await assert.rejects(open(), /keeps the tickets of another database, or of this one before a backup/);
  await redis.ask(['FLUSHALL']);
  await open();
});
