import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestLike } from '../../core/domain/samples.ts';
import { addUser, aTicket, issue, NOW } from '../../core/storage/conformance/samples.ts';
import { whyNoRedis } from '../../service/redis.ts';
import { RedisBus } from '../../service/redis-bus.ts';
import { RedisCluster } from '../../service/redis-cluster.ts';
import { openUntilEnd } from './opened.ts';

const skip = whyNoRedis() ?? false;

test('a master that has lost a replica which may be promoted acknowledges nothing that the replica lacks', {
  skip,
}, async (t) => {
  const cluster = await RedisCluster.start({ nodeTimeout: 60_000 });
  t.after(() => cluster.remove());
  const bus = await RedisBus.of(t, cluster);
  const store = await openUntilEnd(t, cluster.url, { options: {}, clock: () => NOW });
  const ada = await addUser(store, 'ada');
  // Not the user's own partition.
  const master = await cluster.masterOf(16_383);
  const replica = cluster.nodes[cluster.nodes.indexOf(master) + 3];
  await bus.cutOff(master);
  // Digests whose first bytes lie evenly over the masters.
  const tickets = Array.from({ length: 9 }, (_, at) => aTicket(at, ada, { digest: digestLike(at * 28) }));
  const issued = await Promise.allSettled(tickets.map((ticket) => issue(store, ticket)));
  const acknowledged = tickets.filter((_, at) => issued[at]?.status === 'fulfilled');
  assert.ok(acknowledged.length > 0, 'no ticket was acknowledged');
  assert.ok(acknowledged.length < tickets.length, 'every ticket was acknowledged');
  await replica?.ask(['CLUSTER', 'FAILOVER', 'TAKEOVER']);
  await bus.heal();
  await cluster.isWhole();
  for (const { digest } of acknowledged) {
    const held = await store.read((unit) => unit.tickets.find(digest));
    assert.notEqual(held, undefined, `the ticket ${digest} was acknowledged and is lost`);
  }
});
