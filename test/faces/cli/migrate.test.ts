import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Postgres, testsOnPostgres } from '../../service/postgres.ts';
import { temporaryFolder } from '../../service/start.ts';
import { run } from './command.ts';

const test = await testsOnPostgres();

/** The command line on a new database of the server. */
async function onDatabase(t: Parameters<typeof temporaryFolder>[0], server: Postgres, more: object = {}) {
  const [cwd, url] = [await temporaryFolder(t), await server.freshSchema()];
  const keyFile = join(cwd, 'key');
  writeFileSync(keyFile, 'ab'.repeat(32));
  const env = { TESSERA_DATABASE: url, TESSERA_THROTTLE_KEY_FILE: keyFile, ...more };
  return { url, tessera: (...words: string[]) => run('tessera', words, { cwd, env }) };
}

test('PostgreSQL is migrated by hand, and tells when each step was taken', async (t, server) => {
  const { tessera } = await onDatabase(t, server);
  const before = JSON.parse((await tessera('migrate', 'status', '--json')).stdout);
  const names = before.map(({ migration }: { migration: string }) => migration);
  assert.ok(names.length > 1);
  for (const { state } of before) assert.equal(state, 'to be done');
  assert.equal((await tessera('migrate', 'up')).stdout, `Migrated: ${names.join(', ')}.\n`);
  const { stdout } = await tessera('migrate', 'status');
  assert.match(stdout, /^MIGRATION {2}STATE {2}AT\n(00\d\d {7}done {3}\d{4}-\d\d-\d\dT[\d:.]+Z\n)+$/);
  assert.equal((await tessera('migrate', 'up')).stdout, 'Nothing was to be done.\n');
});

test('PostgreSQL is migrated though its Redis is down, or keeps the tickets of before a restoring', async (t, server) => {
  const { tessera } = await onDatabase(t, server, { TESSERA_TICKETS: 'redis://127.0.0.1:1' });
  const { stdout, stderr, code } = await tessera('migrate', 'up');
  assert.match(stdout, /^Migrated: 0001/);
  assert.deepEqual([stderr, code], ['', 0]);
});

test('on PostgreSQL, too, a command leaves an older schema as it is, and says what to do', async (t, server) => {
  const { tessera, url } = await onDatabase(t, server);
  await tessera('users', 'add', 'ana', '--no-password');
  await server.ask(
    'DELETE FROM tessera_migrations WHERE number = (SELECT max(number) FROM tessera_migrations)',
    url,
  );
  for (const words of [['events'], ['users', 'lock', 'ana']]) {
    const { code, stderr } = await tessera(...words);
    assert.equal(code, 1);
    assert.match(stderr, /schema is older than this version: run 'tessera migrate up' on it first\n$/);
  }
  const { stdout } = await tessera('migrate', 'status', '--json');
  assert.equal(JSON.parse(stdout).at(-1).state, 'to be done');
});

test('on PostgreSQL, too, a service older than the schema refuses to start and says so', async (t, server) => {
  const { tessera, url } = await onDatabase(t, server);
  await tessera('migrate', 'up');
  await server.ask('INSERT INTO tessera_migrations VALUES (1000, 0)', url);
  for (const words of [
    ['serve', '--port', '0', '--metrics-port', '0'],
    ['migrate', 'status'],
    ['migrate', 'up'],
  ]) {
    const { code, stderr } = await tessera(...words);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^cannot use the database .*has schema 1000 .*run the newer version that wrote it\n$/,
    );
  }
});
