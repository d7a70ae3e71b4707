import type { Redis } from '../service/redis.ts';
import { SLOTS_APART, testsOnCluster } from './on-redis.ts';
import { underLoad } from './scenario.ts';

const test = await testsOnCluster();

test('a Redis master is killed and failed over; it comes back as a replica', async (t, fleet, cluster) => {
  let lost: Redis;
  await underLoad(t, fleet, {
    async strike(round) {
      lost = await cluster.masterOf(round * SLOTS_APART);
      await lost.kill();
      await cluster.failedOver(lost);
    },
    async comesBack() {
      await lost.resume();
      await cluster.isWhole();
    },
  });
});
