import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { whyTooShort } from './length.ts';
import { testsOnCluster } from './on-redis.ts';
import { underLoad } from './scenario.ts';

const NAME = 'an instance is frozen for 10 s and wakes: it knows what happened meanwhile';
const FROZEN_FOR = 10_000;

const skip = whyTooShort();
if (skip !== undefined) test(NAME, { skip });
else
  (await testsOnCluster())(NAME, async (t, fleet) => {
    await underLoad(t, fleet, {
      harmless: true,
      async strike(round) {
        const victim = fleet.instances[round % fleet.instances.length];
        victim?.freeze();
        await pause(FROZEN_FOR);
        victim?.thaw();
      },
    });
  });
