import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { PARTS, type PartName, type TransferTable } from '../../../../src/core/storage/transfer.ts';
import { databaseIn } from '../../../../src/engines/sqlite/data-folder.ts';
import { addUser } from '../../../core/storage/conformance/samples.ts';
import { damageRows } from '../../../engines/sqlite/folder.ts';
import { Postgres, whyNoPostgres } from '../../../service/postgres.ts';
import { openPostgres, openSqlite } from '../../../service/stores.ts';
import { fill, whyRefused } from './filling.ts';
import { postgresPlace, sqlitePlace } from './places.ts';
import { holdToTransfer } from './transfer.ts';

const SOURCE = { identity: 'test:1', label: 'a place' };

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

  /** Rows that every database has. Whether a database is in use shows in its nodes. */
  const alwaysThere: readonly PartName[] = ['server', 'node_stores'];
  test('a PostgreSQL database with a single row of anything is none to copy into', async (t) => {
    const { target, open, written } = await postgresPlace(t, server);
    await (await open()).close();
    const values = { number: '7', text: "'x'", bytes: "'\\x00'", flag: 'true' };
    for (const { name, columns } of PARTS.filter((part) => !alwaysThere.includes(part.name))) {
      const row = Object.values(columns).map((kind) => values[kind]);
      await server.ask(`INSERT INTO ${name} (${Object.keys(columns)}) VALUES (${row})`, written);
      const side = target(SOURCE).then((opened) => opened.close());
      await assert.rejects(
        side,
        /not empty/,
        `${name} is missing in USED of src/engines/postgres/transfer/target.ts`,
      );
      await server.ask(`DELETE FROM ${name} WHERE ${Object.keys(columns)[0]} = ${row[0]}`, written);
    }
  });

  test('why a copy into PostgreSQL cannot be finished is told with the mend', async (t) => {
    await server.ask('CREATE ROLE copier LOGIN');
    const own = await server.freshDatabase('OWNER copier');
    const { target } = await postgresPlace(t, server, own.replace('postgres@', 'copier@'));
    const side = await target(SOURCE);
    await server.ask('ALTER TABLE users OWNER TO postgres', own);
    const why = await whyRefused(() => side.finish({ users: 0, events: 0 }));
    assert.match(why, /lacks a privilege: make it the owner/);
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
    await source.close();
    const instance = openPostgres(url.replace('plain@', 'postgres@'));
    t.after(async () => (await instance).close());
    await instance;
    assert.match((await place.source()).inUse ?? '', /open on it, from where this user may not see/);
  });
} else {
  test('the PostgreSQL engine can be moved', (t) => t.skip(why));
}

test('rows of a data folder that is damaged are refused as that, with the mend', async (t) => {
  const { open, source, written } = await sqlitePlace(t);
  const store = await open();
  await fill(store);
  await store.close();
  damageRows(written.replace('sqlite:', ''));
  const side = await source();
  const [users] = PARTS.filter(({ name }) => name === 'users') as [TransferTable];
  for (const read of [() => side.count(users), () => side.page(users, undefined, 10)])
    assert.match(await whyRefused(read), /^cannot use the data folder .*damaged: restore a backup$/);
});

/** A data folder with an unfinished copy. */
async function halfCopied(t: TestContext) {
  const place = await sqlitePlace(t);
  await (await place.target(SOURCE)).close();
  return { ...place, folder: place.written.replace('sqlite:', '') };
}

test('a half-done copy is no database of its data folder', async (t) => {
  const { folder } = await halfCopied(t);
  assert.ok(!existsSync(databaseIn(folder)));
});

test('no service opens a data folder that is half copied, until the copy is finished or given up', async (t) => {
  const { folder, open, target } = await halfCopied(t);
  const [draft = ''] = readdirSync(folder);
  const why = await whyRefused(open);
  assert.match(
    why,
    /half-done copy of another store: give the copy command again, or remove tessera\.db\.copy-/,
  );
  assert.ok(why.includes(folder) && why.includes(`${draft}*`), why);
  assert.throws(() => openSqlite(folder, { missing: 'refuse' }), { message: why });
  assert.deepEqual(readdirSync(folder), [draft]);
  const side = await target(SOURCE);
  await side.finish({ users: 0, events: 0 });
  await side.close();
  assert.deepEqual(readdirSync(folder), ['tessera.db']);
  assert.equal((await addUser(await open(), 'ada')).name, 'ada');

  const other = await halfCopied(t);
  for (const file of readdirSync(other.folder)) rmSync(join(other.folder, file));
  assert.equal((await addUser(await other.open(), 'ada')).name, 'ada');
});

test('a copy never takes the place of a database that was made meanwhile, and can be finished without it', async (t) => {
  const { folder, open, target } = await halfCopied(t);
  const database = databaseIn(folder);
  const first = await target(SOURCE);
  writeFileSync(database, 'of somebody');
  const finish = () => first.finish({ users: 41, events: 0 });
  assert.match(await whyRefused(finish), /a database was made in it meanwhile: take that away/);
  await first.close();
  assert.equal(readFileSync(database, 'utf8'), 'of somebody');
  rmSync(database);
  const second = await target(SOURCE);
  await second.finish({ users: 41, events: 0 });
  assert.ok((await addUser(await open(), 'ada')).id > 41);
});
