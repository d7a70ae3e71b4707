import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, test } from 'node:test';
import { Postgres, whyNoPostgres } from '../service/postgres.ts';
import { whyRefused } from './filling.ts';
import { postgresPlace, sqlitePlace } from './places.ts';
import { holdToTransfer } from './transfer.ts';

const SOURCE = { identity: 'test:1', shown: 'a place' };

holdToTransfer('the SQLite engine', sqlitePlace);

const why = whyNoPostgres();
if (why === undefined) {
  const server = await Postgres.start();
  after(() => server.remove());
  holdToTransfer('the PostgreSQL engine', (t) => postgresPlace(t, server));

  test('no service opens a PostgreSQL database that is half copied', async (t) => {
    const { target, open } = await postgresPlace(t, server);
    const side = await target(SOURCE);
    await side.close();
    assert.match(await whyRefused(open), /half-done copy of a place: give the copy command again/);
  });

  test('an ordinary user of PostgreSQL can copy in and out', async (t) => {
    await server.ask('CREATE ROLE plain LOGIN');
    const url = (await server.freshDatabase('OWNER plain')).replace('postgres@', 'plain@');
    const place = await postgresPlace(t, server, url);
    const side = await place.target(SOURCE);
    await side.finish({ users: 0, events: 0 });
    await side.close();
    const source = await place.source();
    assert.equal(source.inUse, undefined);
  });
} else {
  test('the PostgreSQL engine can be moved', (t) => t.skip(why));
}

test('a half-done copy is no database of its data folder', async (t) => {
  const { target, written } = await sqlitePlace(t);
  await (await target(SOURCE)).close();
  assert.ok(!existsSync(`${written.replace('sqlite:', '')}/tessera.db`));
});
