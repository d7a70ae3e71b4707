import assert from 'node:assert/strict';
import { holderOf } from '../../../src/core/domain/user.ts';
import { aDigest, addUser, aTicket, aUser, issue } from '../../core/storage/conformance/samples.ts';
import { type Postgres, testsOnOwnPostgres } from '../../service/postgres.ts';
import { eventually } from '../../service/until.ts';
import { hold } from './held.ts';
import { openUntilEnd } from './opened.ts';
import { lineTo } from './proxy.ts';

const test = await testsOnOwnPostgres();
const UNAVAILABLE = { name: 'StoreUnavailable' };

const cutAll = (server: Postgres) =>
  server.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tessera'`);

test('a connection cut in mid-transaction is StoreUnavailable, nothing of it is kept, and the next unit is done', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema());
  const unit = store.write(async ({ users }) => {
    await users.add(aUser('ada'));
    await cutAll(server);
    await users.add(aUser('ben'));
  });
  await assert.rejects(unit, UNAVAILABLE);
  assert.equal((await eventually(() => addUser(store, 'eve'))).name, 'eve');
  assert.deepEqual(
    (await store.read((all) => all.users.list())).map(({ name }) => name),
    ['eve'],
  );
});

test('reads that are under way when their connection is cut are StoreUnavailable, and the next are answered', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url);
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada));
  const letGo = await hold(t, url, 'tickets, users');
  const reads = Promise.allSettled(
    Array.from({ length: 20 }, () => store.read((unit) => unit.tickets.find(aDigest(1)))),
  );
  await eventually(async () => {
    const [row] = await server.ask('SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted');
    assert.notEqual(row?.waiting, 0);
  });
  await cutAll(server);
  const outcomes = await reads;
  await letGo();
  for (const outcome of outcomes) {
    assert.equal(outcome.status, 'rejected');
    assert.equal(outcome.reason.name, 'StoreUnavailable');
  }
  const held = await eventually(() => store.read((unit) => unit.tickets.find(aDigest(1))));
  assert.deepEqual(held?.user, holderOf(ada));
});

test('a commit whose answer is lost is StoreUnavailable, since nobody knows whether it was written', async (t, server) => {
  const url = await server.freshSchema();
  const line = await lineTo(t, url);
  const store = await openUntilEnd(t, line.url);
  await addUser(store, 'before');
  line.cutAfter('COMMIT\0');
  await assert.rejects(addUser(store, 'ada'), {
    ...UNAVAILABLE,
    message: /whether .* committed is not known/,
  });
  const names = async () =>
    (await server.ask('SELECT name FROM users ORDER BY id', url)).map(({ name }) => name);
  await eventually(async () => assert.deepEqual(await names(), ['before', 'ada']));
  assert.equal((await addUser(store, 'after')).name, 'after');
});

test('a server that crashes and starts again is found again, without a restart', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema());
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada));
  await server.stop('immediate');
  for (let turn = 0; turn < 3; turn++) {
    await assert.rejects(
      store.read((unit) => unit.tickets.find(aDigest(1))),
      UNAVAILABLE,
    );
    await assert.rejects(addUser(store, 'ben'), UNAVAILABLE);
  }
  await server.resume();
  const held = await eventually(() => store.read((unit) => unit.tickets.find(aDigest(1))));
  assert.deepEqual(held?.user, holderOf(ada));
  await eventually(() => addUser(store, 'ben'));
  assert.equal(await store.read((unit) => unit.users.count()), 2);
});

test('a server that is stopped in order and started again is found again', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema());
  await addUser(store, 'ada');
  await server.stop('fast');
  await assert.rejects(
    store.read((unit) => unit.users.count()),
    UNAVAILABLE,
  );
  await server.resume();
  assert.equal(await eventually(() => store.read((unit) => unit.users.count())), 1);
});

test('a store whose server is gone can be closed', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema());
  await addUser(store, 'ada');
  await server.stop('immediate');
  await store.close();
  await assert.rejects(addUser(store, 'ben'), { ...UNAVAILABLE, message: /the store is closed/ });
  await server.resume();
});
