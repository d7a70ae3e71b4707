import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { testsOnOwnPostgres } from '../../service/postgres.ts';
import { openPostgres } from '../../service/stores.ts';
import { eventually } from '../../service/until.ts';
import { openUntilEnd, whyNotOpened } from './opened.ts';

const test = await testsOnOwnPostgres();

test('closing twice does nothing the second time, and leaves no connection behind', async (_t, server) => {
  const url = await server.freshDatabase();
  const store = await openPostgres(url);
  await Promise.all(['ada', 'ben', 'eve'].map((name) => addUser(store, name)));
  await store.close();
  await store.close();
  await eventually(async () => {
    const left = await server.ask(`SELECT pid FROM pg_stat_activity WHERE application_name = 'tessera'`);
    assert.deepEqual(left, []);
  });
});

test('a server that is not there, a database that is not there and a user that is refused are named', async (_t, server) => {
  assert.match(
    await whyNotOpened('postgres://postgres@127.0.0.1:1/x'),
    /"x" at 127.0.0.1:1: 127.0.0.1:1: nothing listens there/,
  );
  assert.match(await whyNotOpened(server.url('missing')), /there is no such database: make it first/);
  assert.match(
    await whyNotOpened(server.url('postgres').replace('postgres@', 'nobody@')),
    /refuses the user/,
  );
});

test('a database that is not in UTF-8 is refused, with the mend', async (_t, server) => {
  const url = await server.freshDatabase(`TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`);
  assert.match(await whyNotOpened(url), /encoded in LATIN1: make one in UTF8/);
});

test('a server older than PostgreSQL 13 is refused, and one of 13 is taken', async (_t, server) => {
  const url = await server.freshDatabase();
  // The message says the version before the server's own words.
  const own = `${url}?options=${encodeURIComponent('-c search_path=public,pg_catalog')}`;
  const isOf = (version: number) =>
    server.ask(
      `CREATE OR REPLACE FUNCTION public.current_setting(text) RETURNS text LANGUAGE sql AS
       $$ SELECT CASE $1 WHEN 'server_version_num' THEN '${version}' ELSE pg_catalog.current_setting($1) END $$`,
      url,
    );
  await isOf(120_022);
  assert.match(await whyNotOpened(own), /it is older than PostgreSQL 13/);
  await isOf(130_000);
  await (await openPostgres(own)).close();
});

test('a read-only server is refused, and one that becomes writable is found without a restart', async (t, server) => {
  const url = await server.freshDatabase();
  const name = new URL(url).pathname.slice(1);
  await server.ask(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  assert.match(await whyNotOpened(url), /it is read-only/);
  await server.ask(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  const store = await openUntilEnd(t, url);
  const ada = await addUser(store, 'ada');
  server.configure('default_transaction_read_only = on');
  await server.reload();
  await assert.rejects(addUser(store, 'ben'), { name: 'StoreUnavailable', message: /read-only/ });
  assert.deepEqual(await store.read((unit) => unit.users.list()), [ada]);
  server.configure('default_transaction_read_only = off');
  await server.reload();
  assert.equal((await eventually(() => addUser(store, 'ben'))).name, 'ben');
});

test('a user without the right to make tables is refused, with the mend', async (_t, server) => {
  await server.ask('CREATE ROLE visitor LOGIN');
  const url = (await server.freshDatabase()).replace('postgres@', 'visitor@');
  assert.match(await whyNotOpened(url), /the user lacks a privilege/);
});

test('the password comes from the URL, or from the options in its place', async (_, server) => {
  await server.ask(`CREATE ROLE keyed LOGIN SUPERUSER PASSWORD 'p@ss/wörd'`);
  const access = join(server.data, 'pg_hba.conf');
  writeFileSync(access, 'host all keyed 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n');
  await server.reload();
  const url = (await server.freshSchema()).replace('postgres@', 'keyed@');
  assert.match(await whyNotOpened(url), /asks for a password, and none was given/);
  assert.match(await whyNotOpened(url, { password: 'other' }), /refuses the user/);
  await (await openPostgres(url.replace('keyed@', 'keyed:p%40ss%2Fw%C3%B6rd@'))).close();
  await (await openPostgres(url.replace('keyed@', 'keyed:other@'), { password: 'p@ss/wörd' })).close();
});
