import { openRedis } from '../../../src/engines/redis/open.ts';
import { LIFETIME, PATIENT } from '../../engines/redis/opened.ts';
import { testsOnRedis } from '../../service/redis.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { testsOfPlantedFaults } from './faults.ts';

const test = await testsOnRedis();

testsOfPlantedFaults((name, body) =>
  test(name, async (t, { url }) => {
    const folder = await temporaryFolder(t);
    await body(t, () =>
      openRedis(url, { store: openSqlite(folder), lifetime: LIFETIME, clock: Date.now }, PATIENT),
    );
  }),
);
