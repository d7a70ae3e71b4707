import { setTimeout as pause } from 'node:timers/promises';
import { testsOnOwnPostgres } from '../service/postgres.ts';
import { DURABLE, fleetOn } from './on-postgres.ts';
import { underLoad } from './scenario.ts';

const test = await testsOnOwnPostgres(...DURABLE);

test('PostgreSQL is stopped as by a crash and started again', async (t, server) => {
  const fleet = await fleetOn(t, await server.freshDatabase());
  await underLoad(t, fleet, {
    async strike() {
      await server.stop('immediate');
      await pause(1_000);
      await server.resume();
    },
  });
});
