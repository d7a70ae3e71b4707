import { after, test } from 'node:test';
import { holdToPromises } from '../core/storage/conformance/all.ts';
import { holdToLasting, type MakePlace } from '../core/storage/conformance/lasting.ts';
import { Postgres, whyNoPostgres } from '../service/postgres.ts';
import { openUntilEnd } from './postgres/opened.ts';
import { ReusedSchemas } from './postgres/reused-schemas.ts';

const why = whyNoPostgres();
if (why === undefined) {
  const server = await Postgres.start();
  const schemas = await ReusedSchemas.on(server);
  after(async () => {
    await schemas.end();
    await server.remove();
  });
  const place: MakePlace = async (t) => {
    const url = await schemas.take(t);
    return () => openUntilEnd(t, url);
  };
  holdToPromises('the PostgreSQL engine', async (t) => (await place(t))());
  holdToLasting('the PostgreSQL engine', place);
} else {
  test('the PostgreSQL engine keeps its promises', (t) => t.skip(why));
}
