import { setTimeout as pause } from 'node:timers/promises';
import { lineTo } from '../engines/postgres/proxy.ts';
import { testsOnOwnPostgres } from '../service/postgres.ts';
import { DURABLE, fleetOn } from './on-postgres.ts';
import { underLoad } from './scenario.ts';
import { promoted, synchronousStandby } from './standby.ts';

const test = await testsOnOwnPostgres(...DURABLE);

test('a primary falls silent without closing a connection, its standby is promoted, and the old one is heard again later', async (t, server) => {
  const url = await server.freshDatabase();
  const standby = await synchronousStandby(t, server);
  const line = await lineTo(t, url);
  const hosts = `${new URL(line.url).host},127.0.0.1:${standby.port}`;
  const fleet = await fleetOn(t, `postgres://postgres@${hosts}${new URL(url).pathname}`);
  await underLoad(t, fleet, {
    once: true,
    async strike() {
      line.freeze();
      await pause(500);
      await promoted(standby, url);
    },
    comesBack: async () => line.thaw(),
  });
});
