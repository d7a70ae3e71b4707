import { join } from 'node:path';
import { testsOnOwnPostgres } from '../service/postgres.ts';
import { diskOf, filledFor } from './full-disk.ts';
import { DURABLE, fleetOn } from './on-postgres.ts';
import { underLoad } from './scenario.ts';

const test = await testsOnOwnPostgres(...DURABLE);

test("the quota of the database's tables is reached, and raised later", async (t, server) => {
  const place = diskOf(t, server);
  if (place === undefined) return;
  await server.ask(`CREATE TABLESPACE small LOCATION '${join(place, 'space')}'`);
  const fleet = await fleetOn(t, await server.freshDatabase('TABLESPACE small'));
  await underLoad(t, fleet, { strike: () => filledFor(place, 3_000) });
});
