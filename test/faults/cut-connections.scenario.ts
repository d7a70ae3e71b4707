import { setTimeout as pause } from 'node:timers/promises';
import { type Line, lineTo } from '../engines/postgres/proxy.ts';
import { type Postgres, testsOnOwnPostgres } from '../service/postgres.ts';
import { DURABLE, fleetOn } from './on-postgres.ts';
import { underLoad } from './scenario.ts';

const test = await testsOnOwnPostgres(...DURABLE);

/** What an instance sends in the middle of a login or a logout, and what makes the outcome unknown. */
const MOMENTS = ['tickets.issue', 'tickets.end', 'COMMIT\0', 'COMMIT\0', 'tickets.find'];
const CUTS = 20;

/** Ends every second connection that is in a transaction just now, and that of some readers. */
const terminate = (server: Postgres) =>
  server.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'tessera' AND (xact_start IS NOT NULL OR pid % 3 = 0) AND pid % 2 = 0`);

test('connections are cut in mid-transaction, some by the server and some on the way', async (t, server) => {
  const url = await server.freshDatabase();
  const lines: Record<string, Line> = {};
  for (const name of ['A', 'B', 'C']) lines[name] = await lineTo(t, url);
  const fleet = await fleetOn(t, (name) => lines[name]?.url ?? url);
  await underLoad(t, fleet, {
    async strike() {
      for (let cut = 0; cut < CUTS; cut++) {
        const line = Object.values(lines)[cut % 3];
        line?.cutAfter(MOMENTS[cut % MOMENTS.length] as string);
        await pause(100);
        if (cut % 4 === 0) await terminate(server);
      }
    },
  });
});

test('the line of one instance falls silent for 8 s, and is heard again', async (t, server) => {
  const url = await server.freshDatabase();
  const line = await lineTo(t, url);
  const fleet = await fleetOn(t, (name) => (name === 'A' ? line.url : url));
  await underLoad(t, fleet, {
    async strike() {
      line.freeze();
      await pause(8_000);
      line.thaw();
    },
  });
});
