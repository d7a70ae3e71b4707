import { testsOnPostgres } from '../../service/postgres.ts';
import { openPostgres } from '../../service/stores.ts';
import { testsOfPlantedFaults } from './faults.ts';

const test = await testsOnPostgres();

testsOfPlantedFaults((name, body) =>
  test(name, async (t, server) => {
    const database = await server.freshSchema();
    await body(t, () => openPostgres(database));
  }),
);
