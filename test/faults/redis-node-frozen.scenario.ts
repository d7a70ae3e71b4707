import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from '../service/redis.ts';
import { SLOTS_APART, STALE_WINDOW, testsOnCluster } from './on-redis.ts';
import { underLoad } from './scenario.ts';

const test = await testsOnCluster();
const FROZEN_FOR = 10_000;

test('a Redis master is frozen for 10 s, failed over meanwhile, and wakes', async (t, fleet, cluster) => {
  let master: Redis;
  let wakes: Promise<void>;
  await underLoad(t, fleet, {
    async strike(round) {
      master = await cluster.masterOf(round * SLOTS_APART);
      master.freeze();
      wakes = pause(FROZEN_FOR);
      await cluster.failedOver(master);
    },
    async comesBack(_, history) {
      await wakes;
      history.allowStale(STALE_WINDOW);
      master.thaw();
      await cluster.isWhole();
    },
  });
});
