import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { userKey } from '../../src/core/domain/user.ts';
import type { Store } from '../../src/core/storage/store.ts';
import { migrationsOf } from '../engines/older-schemas.ts';
import { openUntilEnd as openPostgres } from '../engines/postgres/opened.ts';
import { openUntilEnd as openRedis } from '../engines/redis/opened.ts';
import { testsOnPostgres } from '../service/postgres.ts';
import { Redis, whyNoRedis } from '../service/redis.ts';
import { startTestService } from '../service/start.ts';
import { openSqlite } from '../service/stores.ts';
import { ask, logIn } from '../service/talk.ts';
import { ENGINES, type Engine, type OldStore, readStore, versionsOf } from './old-store.ts';
import { fillPostgres, fillRedis, fillSqlite } from './rows.ts';

/** The recorded tickets were last used when they were recorded. */
const ENDLESS = { TESSERA_TICKET_IDLE: 'off', TESSERA_TICKET_AGE: 'off' };
const FOREVER = { idle: Number.POSITIVE_INFINITY, age: Number.POSITIVE_INFINITY };

/** Holds a service on this store to what its old version promised. */
async function holdsTo(t: TestContext, { expected }: OldStore, open: (folder: string) => Store) {
  const opened: Store[] = [];
  const { url } = await startTestService(t, ENDLESS, (folder) => {
    opened.push(open(folder));
    return opened[0] as Store;
  });
  for (const name of Object.keys(expected.live)) {
    const user = await opened[0]?.read(({ users }) => users.findByKey(userKey(name)));
    assert.ok((user?.lastLoginAt ?? 0) > 0, `it is known that ${name} logged in`);
  }
  const validated = async (ticket: string) =>
    (await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}&format=json`)).status;
  for (const [name, ticket] of Object.entries(expected.live))
    assert.equal(await validated(ticket), 200, `the ticket of ${name} is good`);
  for (const ticket of expected.dead) assert.equal(await validated(ticket), 401, `${ticket} was ended`);
  for (const [name, password] of Object.entries(expected.passwords))
    assert.equal(await validated(await logIn(url, name, password)), 200, `the password of ${name} is good`);
  for (const [name, password] of Object.entries(expected.refused))
    await assert.rejects(logIn(url, name, password), { status: 403 }, `the password of ${name} is refused`);
  const [ticket = ''] = Object.values(expected.live);
  const ended = await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, { method: 'DELETE' });
  assert.equal(ended.status, 200);
  assert.equal(await validated(ticket), 401, 'a log-out ends a ticket of before');
}

const recorded = (engine: Engine) => versionsOf(engine).map((version) => readStore(engine, version));
const onPostgres = await testsOnPostgres();
const noRedis = whyNoRedis();

/** The oldest schema with a version that served it. Tickets in Redis came later. */
const OLDEST = { sqlite: 1, postgres: 2, redis: 3 } as const;

test('a store of every older schema is recorded', () => {
  for (const engine of ENGINES) {
    const last = migrationsOf(engine === 'sqlite' ? 'sqlite' : 'postgres').length - 1;
    assert.deepEqual(
      versionsOf(engine),
      Array.from({ length: last + 1 - OLDEST[engine] }, (_, at) => OLDEST[engine] + at),
      `record one by the commit before the migration: bin/node test/upgrades/record.ts CHECKOUT ${engine}`,
    );
  }
});

for (const old of recorded('sqlite'))
  test(`the embedded store of schema ${old.version} serves on: tickets, passwords, revocations`, (t) =>
    holdsTo(t, old, (folder) => {
      fillSqlite(folder, old);
      return openSqlite(folder);
    }));

for (const old of recorded('postgres'))
  onPostgres(
    `a PostgreSQL of schema ${old.version} serves on: tickets, passwords, revocations`,
    async (t, server) => {
      const database = await server.freshSchema();
      await fillPostgres(server, database, old);
      const store = await openPostgres(t, database);
      await holdsTo(t, old, () => store);
    },
  );

for (const old of recorded('redis'))
  onPostgres(`tickets in Redis of schema ${old.version} serve on`, async (t, server) => {
    if (noRedis !== undefined) return t.skip(noRedis);
    const database = await server.freshSchema();
    await fillPostgres(server, database, old);
    const redis = await Redis.start();
    t.after(() => redis.remove());
    await fillRedis(redis, old.values);
    const below = await openPostgres(t, database);
    const store = await openRedis(t, redis.url, { below, lifetime: FOREVER });
    await holdsTo(t, old, () => store);
  });
