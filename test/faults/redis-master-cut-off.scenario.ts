import { RedisBus } from '../service/redis-bus.ts';
import { SLOTS_APART, STALE_WINDOW, testsOnCluster } from './on-redis.ts';
import { underLoad } from './scenario.ts';

const test = await testsOnCluster();

test('a Redis master is cut off from the others while the instances reach it; it is failed over and finds back', async (t, fleet, cluster) => {
  const bus = await RedisBus.of(t, cluster);
  await underLoad(t, fleet, {
    async strike(round, history) {
      const master = await cluster.masterOf(round * SLOTS_APART);
      history.allowStale(STALE_WINDOW);
      await bus.cutOff(master);
      await cluster.failedOver(master);
    },
    async comesBack(_, history) {
      history.allowStale(STALE_WINDOW);
      await bus.heal();
      await cluster.isWhole();
    },
  });
});
