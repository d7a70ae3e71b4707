import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { postgresMigrations } from '../../../src/engines/postgres/open.ts';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { type Postgres, testsOnPostgres } from '../../service/postgres.ts';
import { openPostgres } from '../../service/stores.ts';
import { until } from '../../service/until.ts';
import { migrationsOf, olderPostgres } from '../older-schemas.ts';
import { hold } from './held.ts';
import { openUntilEnd, whyNotOpened } from './opened.ts';

const test = await testsOnPostgres();

/** The schema that all migrations together make. A new migration changes this file; an old one never does. */
const SCHEMA = new URL('./schema.txt', import.meta.url);

/** The schema whose next migration changes the table of the server, which every read unit asks. */
const BEFORE_DATABASE_ID = 5;
/** The schema whose next migration says of every user when it last logged in. */
const BEFORE_LAST_LOGIN = 22;

async function schemaOf(server: Postgres, url: string): Promise<string> {
  const columns = await server.ask(
    `SELECT concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), o.collname,
       CASE WHEN a.attnotnull THEN 'not null' END,
       CASE WHEN a.attidentity <> '' THEN 'identity' END) AS line
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_collation o ON o.oid = a.attcollation
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY c.relname, a.attnum`,
    url,
  );
  const indexes = await server.ask(
    `SELECT replace(indexdef, current_schema() || '.', '') AS line FROM pg_indexes
     WHERE schemaname = current_schema() ORDER BY indexname`,
    url,
  );
  return `${[...columns, ...indexes].map(({ line }) => line).join('\n')}\n`;
}

test('a new database gets the schema that is written down', async (t, server) => {
  const url = await server.freshSchema();
  await openUntilEnd(t, url);
  assert.equal(await schemaOf(server, url), readFileSync(SCHEMA, 'utf8'));
});

test('several instances that open a new database at the same moment all open it, and make one schema', async (t, server) => {
  for (const isolation of ['read committed', 'repeatable read', 'serializable']) {
    const ofServer = `-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`;
    const url = `${await server.freshSchema()}${encodeURIComponent(` ${ofServer}`)}`;
    const stores = await Promise.all([1, 2, 3, 4].map(() => openUntilEnd(t, url)));
    for (const [n, store] of stores.entries()) await addUser(store, `user ${n}`);
    assert.deepEqual(await server.ask('SELECT count(*)::int AS rows FROM server', url), [{ rows: 1 }]);
    const numbers = await server.ask('SELECT number::int FROM tessera_migrations ORDER BY number', url);
    assert.deepEqual(
      numbers.map(({ number }) => number),
      migrationsOf('postgres').map((_, index) => index + 1),
    );
  }
});

test('opening again changes nothing about the schema', async (t, server) => {
  const url = await server.freshSchema();
  await (await openPostgres(url)).close();
  const before = await server.ask('SELECT * FROM tessera_migrations', url);
  await openUntilEnd(t, url);
  assert.deepEqual(await server.ask('SELECT * FROM tessera_migrations', url), before);
  assert.equal(await schemaOf(server, url), readFileSync(SCHEMA, 'utf8'));
});

test('the status of migrations is told without migrating', async (t, server) => {
  const url = await server.freshSchema();
  const names = migrationsOf('postgres').map(({ name }) => name.replace('.sql', ''));
  const before = await postgresMigrations(url);
  assert.deepEqual(
    before,
    names.map((name) => ({ name, done: false, appliedAt: undefined })),
  );
  assert.deepEqual(await postgresMigrations(url), before);
  const store = await openUntilEnd(t, url);
  const after = await postgresMigrations(url);
  assert.deepEqual(
    after.map(({ name, done }) => [name, done]),
    names.map((name) => [name, true]),
  );
  for (const { appliedAt } of after) assert.ok(Math.abs((appliedAt ?? 0) - store.clock()) < 60_000);
});

test('an instance older than the schema refuses to open, says so, and changes nothing', async (_t, server) => {
  const url = await server.freshSchema();
  await (await openPostgres(url)).close();
  await server.ask('INSERT INTO tessera_migrations VALUES (1000, 0)', url);
  const before = await schemaOf(server, url);
  assert.match(await whyNotOpened(url), /has schema 1000 .*run the newer version/);
  await assert.rejects(postgresMigrations(url), /has schema 1000 .*run the newer version/);
  assert.equal(await schemaOf(server, url), before);
});

test('a database with tables of another program is refused, and stays as it was', async (_t, server) => {
  const url = await server.freshSchema();
  await server.ask('CREATE TABLE nodes (theirs text)', url);
  const before = await schemaOf(server, url);
  assert.match(await whyNotOpened(url), /tables of another program: make a database for this service alone/);
  assert.equal(await schemaOf(server, url), before);
});

test('an instance waits for another one that is migrating, beyond the deadline of a statement', async (t, server) => {
  const url = await server.freshSchema();
  const held = server.ask(
    `BEGIN; SELECT pg_advisory_xact_lock(${(0x54737372n << 32n) + 1n}); SELECT pg_sleep(2); COMMIT`,
    url,
  );
  const granted = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted";
  await until('the other one is migrating', async () => (await server.ask(granted)).length > 0);
  const store = await openUntilEnd(t, url, { statementDeadline: 400 });
  await held;
  assert.equal((await addUser(store, 'ada')).name, 'ada');
});

test('whoever serves goes on when a migration changes the columns of what it has prepared', async (t, server) => {
  const url = await server.freshSchema();
  const serving = await openUntilEnd(t, url);
  const read = () => serving.read(({ webhooks }) => webhooks.list());
  const write = () =>
    serving.write(async ({ webhooks, aside }) => {
      await aside(async () => void (await webhooks.list()));
      return webhooks.list();
    });
  const both = () => Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? read() : write())));
  await serving.write(({ webhooks }) => webhooks.setReceivers([{ id: 'siem', kinds: [] }]));
  const before = await both();
  await server.ask('ALTER TABLE webhook_receivers ALTER COLUMN fault TYPE varchar', url);
  assert.deepEqual(await both(), before);
});

test('while a dump holds the tables, an instance that migrates waits for it, and whoever serves goes on', async (t, server) => {
  const url = await server.freshSchema();
  const serving = await openUntilEnd(t, url, { statementDeadline: 4_000 });
  await olderPostgres(server, url, BEFORE_DATABASE_ID);
  let dumping = true;
  const dump = server
    .ask('BEGIN; LOCK TABLE server IN ACCESS SHARE MODE; SELECT pg_sleep(7); COMMIT', url)
    .finally(() => {
      dumping = false;
    });
  const held =
    "SELECT 1 FROM pg_locks WHERE mode = 'AccessShareLock' AND relation = 'server'::regclass AND granted";
  await until('the dump holds the table', async () => (await server.ask(held, url)).length > 0);
  const newer = openUntilEnd(t, url);
  while (dumping) assert.equal(await serving.read(({ tickets }) => tickets.serverGeneration()), 0);
  await dump;
  assert.notEqual(await (await newer).read(({ users }) => users.databaseId()), '');
});

test('while it is found out when users last logged in, they are locked for moments, and what is noted meanwhile stays', async (t, server) => {
  const url = await server.freshSchema();
  await olderPostgres(server, url, BEFORE_LAST_LOGIN);
  // More than one batch.
  const users = 1_500;
  await server.ask(
    `INSERT INTO users (key, name, administrator, disabled, locked_until, generation)
      SELECT 'u' || n, 'u' || n, false, false, 0, 0 FROM generate_series(1, ${users}) AS n;
     INSERT INTO tickets (digest, user_id, user_generation, server_generation, issued_at, used_at)
      SELECT decode(lpad(id::text, 64, '0'), 'hex'), id, 0, 0, 5, 5 FROM users`,
    url,
  );
  const letGo = await hold(t, url, 'events');
  const migrated = openUntilEnd(t, url);
  const waits =
    "SELECT FROM pg_locks WHERE NOT granted AND relation = 'events'::regclass AND mode = 'AccessShareLock'";
  await until('the migration waits for the events', async () => (await server.ask(waits, url)).length > 0);
  const noted = "UPDATE users SET last_login_at = 7 WHERE key = 'u1' RETURNING key";
  assert.equal((await server.ask(`SET lock_timeout = 100; ${noted}`, url)).length, 1);
  await letGo();
  await migrated;
  const told = 'SELECT last_login_at::int AS at, count(*)::int AS users FROM users GROUP BY 1 ORDER BY 1';
  assert.deepEqual(await server.ask(told, url), [
    { at: 5, users: users - 1 },
    { at: 7, users: 1 },
  ]);
  assert.equal(await schemaOf(server, url), readFileSync(SCHEMA, 'utf8'));
});
