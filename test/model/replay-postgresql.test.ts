import { testsOnPostgres } from '../service/postgres.ts';
import { openPostgres } from '../service/stores.ts';
import { replay, traces } from './replay.ts';

const test = await testsOnPostgres();

for (const file of traces)
  test(`two instances on one PostgreSQL answer as the model allows: ${file}`, async (t, server) => {
    const url = await server.freshSchema();
    await replay(t, file, () => openPostgres(url));
  });
