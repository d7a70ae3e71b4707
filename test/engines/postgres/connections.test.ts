import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { testsOnPostgres } from '../../service/postgres.ts';
import { eventually } from '../../service/until.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnPostgres();

test('a store holds 9 connections, however much is read and written at once', async (t, server) => {
  const url = await server.freshDatabase();
  const database = new URL(url).pathname.slice(1);
  const isHeld = async () => {
    const [row] = await server.ask(
      `SELECT count(*)::int AS held FROM pg_stat_activity
       WHERE datname = '${database}' AND backend_type = 'client backend'`,
    );
    assert.equal(row?.held, 9);
  };
  const store = await openUntilEnd(t, url, { queueDeadline: 60_000 });
  const end = Promise.withResolvers<void>();
  const read = () => Promise.all(Array.from({ length: 20 }, () => store.read(({ users }) => users.count())));
  const writing = Array.from({ length: 20 }, () =>
    store.write(async ({ clients }) => {
      await clients.list();
      await end.promise;
    }),
  );
  try {
    await read();
    await eventually(isHeld);
    await read();
    // One more would have been made by now.
    await pause(200);
    await isHeld();
  } finally {
    end.resolve();
    await Promise.all(writing);
  }
});
