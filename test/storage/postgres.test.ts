import { after, test } from 'node:test';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { Postgres, whyNoPostgres } from '../service/postgres.ts';
import { holdToPromises } from './conformance/all.ts';

const why = whyNoPostgres();
if (why === undefined) {
  const server = await Postgres.start();
  after(() => server.remove());
  holdToPromises('the PostgreSQL engine', async (t) => {
    const store = await openPostgres(await server.freshSchema());
    t.after(() => store.close());
    return store;
  });
} else {
  test('the PostgreSQL engine keeps its promises', (t) => t.skip(why));
}
