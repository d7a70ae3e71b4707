import assert from 'node:assert/strict';
import { DatabaseError } from 'pg';
import { PostgresConnection } from '../../../src/engines/postgres/connection.ts';
import { translated, whyNotConnected } from '../../../src/engines/postgres/errors.ts';
import { targetOf } from '../../../src/engines/postgres/target.ts';
import type { Host } from '../../../src/engines/server-url.ts';
import { statement } from '../../../src/engines/sql/statement.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { whyNotOpened } from './opened.ts';

const test = await testsOnPostgres();

test('a statement that a pooler left on another connection is a fault of the storage, and the pooler is named', async (t, server) => {
  const target = targetOf(server.url('postgres'));
  const connection = new PostgresConnection(target.hosts[0] as Host, target, 5_000);
  await connection.connect();
  t.after(() => connection.close());
  const one = statement('test', 'one', 'SELECT 1');
  const fault = { name: 'StoreUnavailable', message: /pooler.*: name the server itself in TESSERA_DATABASE/ };
  const asked = async () => connection.rows(one).catch((error: unknown) => Promise.reject(translated(error)));
  await connection.text(`PREPARE "${one.name}" AS SELECT 2`);
  await assert.rejects(asked, fault);
  await connection.text('DEALLOCATE ALL');
  await asked();
  await connection.text('DEALLOCATE ALL');
  await assert.rejects(asked, fault);
});

test('what a server of another kind refuses while a connection is made points at a pooler, with its own words', async () => {
  const refused = new DatabaseError('unsupported startup parameter: statement_timeout', 0, 'error');
  refused.code = '08P01';
  assert.match(whyNotConnected(refused), /pooler.*\(unsupported startup parameter: statement_timeout\)/);
});

test('a start that the server refuses shows the server’s own words, too', async (_t, server) => {
  await server.ask('CREATE ROLE kept_out NOLOGIN');
  await server.ask('CREATE ROLE crowded LOGIN CONNECTION LIMIT 0');
  const as = (user: string) => whyNotOpened(server.url('postgres').replace('postgres@', `${user}@`));
  assert.match(await as('kept_out'), /refuses the user: .*\(role "kept_out" is not permitted to log in\)$/);
  assert.match(
    await as('crowded'),
    /takes no more connections: .*\(too many connections for role "crowded"\)$/,
  );
  await server.ask('CREATE ROLE powerless LOGIN');
  const url = (await server.freshDatabase()).replace('postgres@', 'powerless@');
  assert.match(await whyNotOpened(url), /lacks a privilege: .*\(permission denied for schema public\)$/);
});
