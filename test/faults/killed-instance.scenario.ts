import { setTimeout as pause } from 'node:timers/promises';
import { testsOnOwnPostgres } from '../service/postgres.ts';
import { DURABLE, fleetOn } from './on-postgres.ts';
import { underLoad } from './scenario.ts';

const test = await testsOnOwnPostgres(...DURABLE);

test('kill -9 of an instance: nothing that any instance acknowledged is lost, and the others answer on', async (t, server) => {
  const fleet = await fleetOn(t, await server.freshDatabase());
  await underLoad(t, fleet, {
    kills: true,
    async strike(round) {
      const victim = fleet.instances[round % fleet.instances.length];
      await victim?.kill();
      await pause(1_000);
      await victim?.start();
    },
  });
});
