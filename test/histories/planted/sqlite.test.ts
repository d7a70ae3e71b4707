import { test } from 'node:test';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { testsOfPlantedFaults } from './faults.ts';

testsOfPlantedFaults((name, body) =>
  test(name, async (t) => {
    const folder = await temporaryFolder(t);
    await body(t, async () => openSqlite(folder));
  }),
);
