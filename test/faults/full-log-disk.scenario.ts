import { execFileSync } from 'node:child_process';
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Postgres, testsOnOwnPostgres } from '../service/postgres.ts';
import { diskOf, filledFor } from './full-disk.ts';
import { DURABLE, fleetOn } from './on-postgres.ts';
import { underLoad } from './scenario.ts';

const test = await testsOnOwnPostgres(...DURABLE, 'max_wal_size = 64MB', 'min_wal_size = 32MB');

/** Moves the server's log of what it writes to a disk of its own. */
async function moveLog(server: Postgres, place: string): Promise<void> {
  await server.stop('fast');
  const log = join(server.data, 'pg_wal');
  execFileSync('cp', ['-a', log, join(place, 'pg_wal')]);
  renameSync(log, `${log}.before`);
  symlinkSync(join(place, 'pg_wal'), log);
  await server.resume();
}

test("the disk of the database's log is full: the server crashes, and starts again once there is room", async (t, server) => {
  const place = diskOf(t, server);
  if (place === undefined) return;
  await moveLog(server, place);
  const fleet = await fleetOn(t, await server.freshDatabase());
  await underLoad(t, fleet, {
    async strike() {
      const full = filledFor(place, 3_000);
      // Begins a new file of the log, for which there is no room.
      for (let n = 0; n < 20; n++) await server.ask('SELECT pg_switch_wal()').catch(() => undefined);
      await full;
      await server.stop('immediate');
      await server.resume();
    },
  });
});
