import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Redis, whyNoRedis } from './redis.ts';
import { RedisBus } from './redis-bus.ts';
import { RedisCluster } from './redis-cluster.ts';

const skip = whyNoRedis() ?? false;

test('a master that is cut off from the others is failed over, answers clients still, and finds back', {
  skip,
}, async (t) => {
  const cluster = await RedisCluster.start({ nodeTimeout: 3_000 });
  t.after(() => cluster.remove());
  const bus = await RedisBus.of(t, cluster);
  const master = await cluster.masterOfKey('kept');
  await bus.cutOff(master);
  await master.ask(['SET', 'kept', 'yes']);
  assert.equal(await master.ask(['WAIT', '1', '300']), '0', 'its replica hears of nothing');
  await cluster.failedOver(master);
  const isMaster = async (by: Redis) =>
    (await cluster.known(by)).some(
      ({ port, role, failed }) => port === master.port && role === 'master' && !failed,
    );
  for (const other of cluster.nodes.filter((node) => node !== master))
    assert.equal(await isMaster(other), false);
  await bus.heal();
  await cluster.isWhole();
  assert.equal(await isMaster(master), false);
});
