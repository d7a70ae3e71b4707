import { openRedis } from '../../src/engines/redis/open.ts';
import { LIFETIME, PATIENT } from '../engines/redis/opened.ts';
import { testsOnRedis } from '../service/redis.ts';
import { temporaryFolder } from '../service/start.ts';
import { openSqlite } from '../service/stores.ts';
import { replay, traces } from './replay.ts';

const test = await testsOnRedis();

for (const file of traces)
  test(`two instances with their tickets in one Redis answer as the model allows: ${file}`, async (t, redis) => {
    const folder = await temporaryFolder(t);
    const below = () => ({ store: openSqlite(folder), lifetime: LIFETIME, clock: Date.now });
    await replay(t, file, () => openRedis(redis.url, below(), PATIENT));
  });
