import assert from 'node:assert/strict';
import type { Store } from '../../../src/core/storage/store.ts';
import { aCounter, aKey, counterOf } from '../../core/storage/conformance/samples.ts';
import { type Redis, testsOnRedis } from '../../service/redis.ts';
import { HOUR, openUntilEnd } from './opened.ts';

const test = await testsOnRedis();
const ada = aKey('ada');

/** How many names have an index, and how many counters all these indexes have. */
async function listed(redis: Redis): Promise<{ names: number; counters: number }> {
  const script = `local names, counters = redis.call('KEYS', '*}f*'), 0
    for _, key in ipairs(names) do counters = counters + redis.call('ZCARD', key) end return {#names, counters}`;
  const [names, counters] = (await redis.ask(['EVAL', script, '0'])).split('\n').map(Number);
  return { names: names as number, counters: counters as number };
}

const put = (store: Store, key: string, name: string, at: number) =>
  store.write(({ attempts }) => attempts.put(key, name, aCounter({ lastFailureAt: at })));

test('the index of a name that is attacked for days has only the counters that have not expired', async (t, redis) => {
  let now = Date.now();
  const store = await openUntilEnd(t, redis.url, { clock: () => now });
  await put(store, aKey('ada at home'), ada, now);
  assert.deepEqual(await listed(redis), { names: 1, counters: 1 });
  now += 9 * 24 * HOUR;
  await put(store, aKey('ada at work'), ada, now);
  assert.deepEqual(await listed(redis), { names: 1, counters: 1 });
});

test('a counter that is trimmed leaves the index of its name', async (t, redis) => {
  const now = Date.now();
  const store = await openUntilEnd(t, redis.url, { clock: () => now });
  for (let n = 0; n < 20; n++) await put(store, aKey(`pair ${n}`), aKey(`name ${n}`), now - n);
  assert.deepEqual(await listed(redis), { names: 20, counters: 20 });
  await store.write(({ attempts }) => attempts.trim(5, now));
  assert.deepEqual(await listed(redis), { names: 5, counters: 5 });
});

test('a name with thousands of counters is unlocked whole', async (t, redis) => {
  const now = Date.now();
  const store = await openUntilEnd(t, redis.url, { clock: () => now });
  const pairs = Array.from({ length: 2_500 }, (_, n) => aKey(`ada at ${n}`));
  await store.write(async ({ attempts }) => {
    for (const pair of pairs) await attempts.put(pair, ada, aCounter({ lastFailureAt: now }));
  });
  await store.write(({ attempts }) => attempts.removeOfName(ada));
  for (const pair of pairs) assert.equal(await store.read((unit) => counterOf(unit, pair)), undefined);
});

test('a removal that Redis could not carry out is done by the next one', async (t, redis) => {
  const now = Date.now();
  const store = await openUntilEnd(t, redis.url, { clock: () => now });
  await put(store, aKey('ada at home'), ada, now);
  await redis.ask(['ACL', 'SETUSER', 'default', '-del']);
  await assert.rejects(store.write(({ attempts }) => attempts.removeOfName(ada)));
  await redis.ask(['ACL', 'SETUSER', 'default', '+del']);
  await store.write(({ attempts }) => attempts.removeOfName(ada));
  assert.equal(await store.read((unit) => counterOf(unit, aKey('ada at home'))), undefined);
});
