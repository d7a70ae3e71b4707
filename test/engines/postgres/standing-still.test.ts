import assert from 'node:assert/strict';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { PostgresConnection } from '../../../src/engines/postgres/connection.ts';
import { targetOf } from '../../../src/engines/postgres/target.ts';
import { testsOnPostgres } from '../../service/postgres.ts';

const test = await testsOnPostgres();

test('answers that came while the process stood still are read before the server is called silent', async (t, server) => {
  const target = targetOf(await server.freshSchema());
  const connection = new PostgresConnection({ name: '127.0.0.1', port: server.port }, target, 1_000);
  await connection.connect();
  t.after(() => connection.close());
  const answer = connection.text('SELECT pg_sleep(0.2)');
  await pause(50);
  // From here on due timers run before arrived data is read.
  await turn();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
  assert.equal((await answer).rows.length, 1);
});
