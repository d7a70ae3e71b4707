import { test } from 'node:test';
import { smallDisk } from '../engines/sqlite/disk.ts';
import { temporaryFolder } from '../service/start.ts';
import { openSqlite } from '../service/stores.ts';
import { startFleet } from './fleet.ts';
import { filledFor } from './full-disk.ts';
import { addUsers } from './on-postgres.ts';
import { underLoad } from './scenario.ts';

async function seeded(folder: string): Promise<string> {
  const store = openSqlite(folder);
  await addUsers(store).finally(() => store.close());
  return folder;
}

test('kill -9 of the one instance on the embedded store, and a new start', async (t) => {
  const data = await seeded(await temporaryFolder(t));
  const fleet = await startFleet(t, ['A'], () => ({ TESSERA_DATA: data }));
  await underLoad(t, fleet, {
    kills: true,
    async strike() {
      await fleet.instances[0]?.kill();
      await fleet.instances[0]?.start();
    },
  });
});

test('the disk of the embedded store is full for a while', async (t) => {
  const disk = smallDisk(t, 131_072);
  if (disk === undefined) return;
  await seeded(disk.place);
  const fleet = await startFleet(t, ['A'], () => ({ TESSERA_DATA: disk.place }));
  await underLoad(t, fleet, { strike: () => filledFor(disk.place, 3_000) });
});
