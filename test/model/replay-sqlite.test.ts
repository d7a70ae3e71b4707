import { test } from 'node:test';
import { temporaryFolder } from '../service/start.ts';
import { openSqlite } from '../service/stores.ts';
import { replay, traces } from './replay.ts';

for (const file of traces)
  test(`two instances on one data folder answer as the model allows: ${file}`, async (t) => {
    const folder = await temporaryFolder(t);
    await replay(t, file, () => openSqlite(folder));
  });
