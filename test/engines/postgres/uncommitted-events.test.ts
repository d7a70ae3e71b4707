import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Client } from 'pg';
import type { Store } from '../../../src/core/storage/store.ts';
import { append, NOW } from '../../core/storage/conformance/samples.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnPostgres();

const reasons = async (store: Store, after: number) =>
  (await store.read((unit) => unit.events.appended(after, 100))).map(({ reason }) => reason);
const login = (reason: string) => ({ at: NOW, kind: 'login', reason }) as const;

/** A store with the event `one`, and a transaction that has written the event `two` and is open; `three` is committed already. */
async function withOpenTransaction(t: TestContext, url: string) {
  const store = await openUntilEnd(t, url);
  await append(store, login('one'));
  const [one] = await store.read((unit) => unit.events.appended(0, 1));
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  t.after(() => client.end());
  await client.query(`BEGIN; INSERT INTO events (at, kind, user_name, user_key, place, digest, reason, count)
    VALUES (${NOW}, 'login', '', '', '', '', 'two', 1)`);
  await append(store, login('three'));
  return { store, client, after: one?.id ?? assert.fail() };
}

test('a reader by ids gets no event before one whose transaction is still open, and loses none', async (t, server) => {
  const { store, client, after } = await withOpenTransaction(t, await server.freshSchema());
  assert.deepEqual(await reasons(store, 0), ['one']);
  assert.deepEqual(await reasons(store, after), []);
  await client.query('COMMIT');
  assert.deepEqual(await reasons(store, after), ['two', 'three']);
});

test('a reader waits for a transaction that commits in time, and goes on behind one that is rolled back', async (t, server) => {
  const { store, client, after } = await withOpenTransaction(t, await server.freshSchema());
  const [read] = await Promise.all([reasons(store, after), client.query('SELECT pg_sleep(0.05); ROLLBACK')]);
  assert.deepEqual(read, ['three']);
  await append(store, login('four'));
  assert.deepEqual(await reasons(store, after), ['three', 'four']);
});
