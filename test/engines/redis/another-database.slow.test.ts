import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../../src/core/storage/store.ts';
import { keys } from '../../../src/engines/redis/partitions.ts';
import { addUser, aTicket, issue, NOW } from '../../core/storage/conformance/samples.ts';
import { Redis, whyNoRedis } from '../../service/redis.ts';
import { RedisCluster } from '../../service/redis-cluster.ts';
import { eventually } from '../../service/until.ts';
import { openMemory } from '../memory/open.ts';
import { openUntilEnd } from './opened.ts';

const skip = whyNoRedis() ?? false;
const clock = () => NOW;
const FOREIGN = /keeps the tickets of another database.* name another Redis in TESSERA_TICKETS, or/;

const refused = (opening: Promise<unknown>) =>
  assert.rejects(opening, (error: Error) => error instanceof StoreUnavailable && FOREIGN.test(error.message));

for (const [what, start] of [
  ['a Redis', () => Redis.start()],
  ['a Redis Cluster', () => RedisCluster.start()],
] as const) {
  test(`${what} that keeps the tickets of one database is refused to another, until they are removed`, {
    skip,
  }, async (t) => {
    const redis = await start();
    t.after(() => redis.remove());
    const [ours, theirs] = [openMemory(), openMemory()];
    const store = await openUntilEnd(t, redis.url, { below: ours, clock });
    const ada = await addUser(store, 'ada');
    await addUser(theirs, 'eve');
    await issue(store, aTicket(1, ada));
    await refused(openUntilEnd(t, redis.url, { below: theirs, clock }));
    await openUntilEnd(t, redis.url, { below: ours, clock });
    await ('flush' in redis ? redis.flush() : redis.ask(['FLUSHALL']));
    const other = await openUntilEnd(t, redis.url, { below: theirs, clock });
    assert.equal(await other.read(({ tickets }) => tickets.find(aTicket(1, ada).digest)), undefined);
    await refused(openUntilEnd(t, redis.url, { below: ours, clock }));
  });
}

test('of two databases that claim an empty Redis at once, one gets it', { skip }, async (t) => {
  const redis = await Redis.start();
  t.after(() => redis.remove());
  const came = await Promise.allSettled([1, 2, 3, 4].map(() => openUntilEnd(t, redis.url)));
  assert.equal(came.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('an instance that finds the Redis of another database behind a new connection asks it nothing', {
  skip,
}, async (t) => {
  const redis = await Redis.start();
  t.after(() => redis.remove());
  const store = await openUntilEnd(t, redis.url, { clock });
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada));
  const find = () => store.read(({ tickets }) => tickets.find(aTicket(1, ada).digest));
  assert.ok(await find());
  await redis.ask(['SET', keys.database, 'another']);
  await redis.ask(['CLIENT', 'KILL', 'TYPE', 'normal']);
  await assert.rejects(find(), FOREIGN);
  await assert.rejects(issue(store, aTicket(2, ada)), FOREIGN);
  await redis.ask(['DEL', keys.database]);
  assert.ok(await eventually(find));
});
