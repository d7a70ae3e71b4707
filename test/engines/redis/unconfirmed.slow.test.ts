import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keys, type Partition, partitions } from '../../../src/engines/redis/partitions.ts';
import { RedisServers } from '../../../src/engines/redis/servers.ts';
import { targetOf } from '../../../src/engines/redis/target.ts';
import { afterwards } from '../../service/afterwards.ts';
import { type Redis, whyNoRedis } from '../../service/redis.ts';
import { RedisCluster } from '../../service/redis-cluster.ts';

const skip = whyNoRedis() ?? false;
const [place] = partitions as readonly [Partition, ...Partition[]];

/** Makes the nodes of a cluster forget one that is gone. */
async function lose(cluster: RedisCluster, lost: Redis): Promise<void> {
  const id = await lost.ask(['CLUSTER', 'MYID']);
  await lost.kill();
  for (const node of cluster.nodes) if (node !== lost) await node.ask(['CLUSTER', 'FORGET', id]);
}

test('a master that no other server confirms acknowledges nothing, by whatever name it is asked', {
  skip,
}, async (t) => {
  const cluster = await RedisCluster.start({ nodeTimeout: 60_000 });
  afterwards(t, () => cluster.remove());
  const [master, ...others] = cluster.nodes as [Redis, ...Redis[]];
  // Without its replica the master has none to wait for.
  await lose(cluster, others[2] as Redis);
  const servers = ['127.0.0.1', 'localhost'].map(
    (host) => new RedisServers({ ...targetOf(`redis://${host}:${master.port}`), database: 'one' }),
  );
  afterwards(t, () => servers.forEach((each) => void each.close()));
  const write = (by: RedisServers) => by.write(place.slot, ['SET', keys.generation(place), '1']);
  let later = 0;
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + later);
  for (const each of servers) {
    await each.open();
    assert.equal(await write(each), 'OK');
  }
  // The count of its replicas is out of date by then.
  later = 60_000;
  for (const other of others) other.freeze();
  for (const each of servers) await assert.rejects(write(each), /no other server confirms/);
  for (const other of others) other.thaw();
  for (const each of servers) assert.equal(await write(each), 'OK');
});
