import assert from 'node:assert/strict';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { type Postgres, testsOnOwnPostgres } from '../../service/postgres.ts';
import { eventually } from '../../service/until.ts';
import { openUntilEnd } from './opened.ts';
import { lineTo } from './proxy.ts';

const test = await testsOnOwnPostgres();
const UNKNOWN = { name: 'StoreUnavailable', message: /whether .* committed is not known/ };

async function require(server: Postgres, standbys: string): Promise<void> {
  server.configure(`synchronous_standby_names = '${standbys}'`);
  await server.reload();
}

/** Has the server do `what` to the commit that waits for a standby, once there is one. */
const interfere = (server: Postgres, what: 'pg_cancel_backend' | 'pg_terminate_backend') =>
  eventually(async () => {
    const done = await server.ask(
      `SELECT ${what}(pid) FROM pg_stat_activity WHERE application_name = 'tessera' AND wait_event = 'SyncRep'`,
    );
    assert.equal(done.length, 1);
  });

for (const what of ['pg_cancel_backend', 'pg_terminate_backend'] as const) {
  test(`a commit whose wait for the standby is ended by ${what} is not reported as written on both`, async (t, server) => {
    const store = await openUntilEnd(t, await server.freshSchema());
    await require(server, 'missing');
    const refused = assert.rejects(addUser(store, 'ada'), UNKNOWN);
    await interfere(server, what);
    await refused;
    await require(server, '');
    assert.equal((await addUser(store, 'ben')).name, 'ben');
  });
}

test('a commit whose wait is cancelled is not reported as written on both by a server that keeps warnings to itself', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, `${url}%20-c%20client_min_messages%3Derror`);
  await require(server, 'missing');
  const refused = assert.rejects(addUser(store, 'ada'), UNKNOWN);
  await interfere(server, 'pg_cancel_backend');
  await refused;
  await require(server, '');
});

test('a commit whose wait is cancelled is not reported as written on both by a server that warns in German', async (t, server) => {
  const line = await lineTo(t, await server.freshSchema());
  line.translate('SWARNING', 'SWARNUNG');
  const store = await openUntilEnd(t, line.url);
  await require(server, 'missing');
  const refused = assert.rejects(addUser(store, 'ada'), UNKNOWN);
  await interfere(server, 'pg_cancel_backend');
  await refused;
  await require(server, '');
});

test('a commit that waits for a standby for too long is given up as unknown, and readers are answered meanwhile', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema(), { statementDeadline: 500 });
  await require(server, 'missing');
  const refused = assert.rejects(addUser(store, 'ada'), UNKNOWN);
  assert.equal(await store.read((unit) => unit.users.count()), 0);
  await refused;
  await require(server, '');
  assert.equal((await addUser(store, 'ben')).name, 'ben');
});
