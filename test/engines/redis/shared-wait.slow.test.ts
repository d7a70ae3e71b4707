import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keys, type Partition, partitions } from '../../../src/engines/redis/partitions.ts';
import { RedisServers } from '../../../src/engines/redis/servers.ts';
import { targetOf } from '../../../src/engines/redis/target.ts';
import { afterwards } from '../../service/afterwards.ts';
import { type Redis, whyNoRedis } from '../../service/redis.ts';
import { RedisCluster } from '../../service/redis-cluster.ts';

const [place] = partitions as readonly [Partition, ...Partition[]];

test('writes of several callbacks of one turn share a wait for the replicas', {
  skip: whyNoRedis() ?? false,
}, async (t) => {
  const cluster = await RedisCluster.start();
  afterwards(t, () => cluster.remove());
  const [master] = cluster.nodes as [Redis, ...Redis[]];
  const servers = new RedisServers({ ...targetOf(`redis://127.0.0.1:${master.port}`), database: 'one' });
  afterwards(t, () => servers.close());
  await servers.open();
  const write = () => servers.write(place.slot, ['SET', keys.generation(place), '1']);
  const waits = async () => {
    const stats = await Promise.all(cluster.nodes.map((node) => node.ask(['INFO', 'commandstats'])));
    return stats.reduce(
      (sum, text) => sum + Number(/cmdstat_wait:calls=(\d+)/.exec(String(text))?.[1] ?? 0),
      0,
    );
  };
  await write();
  const before = await waits();
  const writes = Array.from({ length: 20 }, () => new Promise((done) => setTimeout(() => done(write()), 1)));
  // All of them are due when the loop comes to its timers.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  await Promise.all(writes);
  assert.equal((await waits()) - before, 1);
});
