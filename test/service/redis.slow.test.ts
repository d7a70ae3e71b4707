import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { Redis, whyNoRedis } from './redis.ts';
import { RedisCluster } from './redis-cluster.ts';
import { until } from './until.ts';

const skip = whyNoRedis() ?? false;

test('a Redis of the tests keeps what it answered past a kill', { skip }, async (t) => {
  const redis = await Redis.start();
  t.after(() => redis.remove());
  assert.equal(await redis.ask(['SET', 'kept', 'yes']), 'OK');
  await redis.kill();
  await redis.resume();
  assert.equal(await redis.ask(['GET', 'kept']), 'yes');
});

test('a Redis of the tests that does not start says why, and is not waited for', { skip }, async () => {
  await assert.rejects(Redis.start('--no-such-word'), /^Error: redis-server ended: [\s\S]*no-such-word/);
});

test('a Redis of the tests whose port is taken says so, and does not pass for the one who took it', {
  skip,
}, async (t) => {
  const redis = await Redis.start();
  t.after(() => redis.remove());
  await redis.kill();
  const other = createServer((socket) => {
    socket.on('data', () => socket.write('+PONG\r\n')).on('error', () => undefined);
  }).listen(redis.port, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  await assert.rejects(redis.resume(), /Address already in use/);
});

test('a Redis Cluster of the tests fails over to the replica of a master that is lost', {
  skip,
}, async (t) => {
  const cluster = await RedisCluster.start({ nodeTimeout: 3_000 });
  t.after(() => cluster.remove());
  const master = await cluster.masterOfKey('kept');
  await master.ask(['SET', 'kept', 'yes']);
  await until('its replica has the key', async () => {
    const counts = await Promise.all(cluster.nodes.map((node) => node.ask(['DBSIZE'])));
    return counts.filter((count) => count === '1').length === 2;
  });
  await master.kill();
  await cluster.failedOver(master);
  const successor = await cluster.masterOfKey('kept');
  assert.notEqual(successor.port, master.port);
  assert.equal(await successor.ask(['GET', 'kept']), 'yes');
  await master.resume();
  await cluster.isWhole();
});
