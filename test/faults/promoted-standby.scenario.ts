import { setTimeout as pause } from 'node:timers/promises';
import { testsOnOwnPostgres } from '../service/postgres.ts';
import { DURABLE, fleetOn } from './on-postgres.ts';
import { underLoad } from './scenario.ts';
import { promoted, synchronousStandby } from './standby.ts';

const test = await testsOnOwnPostgres(...DURABLE);

test('a primary is lost and its synchronous standby promoted; the old primary comes back later', async (t, server) => {
  const url = await server.freshDatabase();
  const standby = await synchronousStandby(t, server);
  const hosts = [server, standby].map(({ port }) => `127.0.0.1:${port}`).join(',');
  const fleet = await fleetOn(t, `postgres://postgres@${hosts}${new URL(url).pathname}`);
  await underLoad(t, fleet, {
    once: true,
    async strike() {
      await server.stop('immediate');
      await pause(500);
      await promoted(standby, url);
    },
    // It thinks that it is the primary still.
    comesBack: () => server.resume(),
  });
});
