import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { openUntilEnd } from '../../engines/postgres/opened.ts';
import { run } from '../../faces/cli/command.ts';
import { type Postgres, testsOnOwnPostgres } from '../../service/postgres.ts';
import { Redis, whyNoRedis } from '../../service/redis.ts';
import { temporaryFolder } from '../../service/start.ts';
import { examine } from './examined.ts';

const test = await testsOnOwnPostgres();

/** A database with an administrator, and the environment of an instance on it. */
async function onServer(t: TestContext, server: Postgres) {
  const url = await server.freshSchema();
  await addUser(await openUntilEnd(t, url), 'admin', { administrator: true });
  const key = join(await temporaryFolder(t), 'key');
  writeFileSync(key, 'ab'.repeat(32), { mode: 0o600 });
  return { TESSERA_DATA: 'none', TESSERA_DATABASE: url, TESSERA_THROTTLE_KEY_FILE: key };
}

test('settings of PostgreSQL by which an accident loses data are found', async (t, server) => {
  const env = await onServer(t, server);
  const before = await examine(env);
  assert.match(before.of('versions', 'ok').join(), /PostgreSQL \d+\.\d+$/);
  assert.match(before.of('durability', 'warning').join(), /^no standby is synchronous: /);
  assert.match(before.of('clock', 'ok').join(), /agrees with that of the database$/);
  server.configure(
    'fsync = off',
    'full_page_writes = off',
    'autovacuum = off',
    'synchronous_commit = off',
    `synchronous_standby_names = 'x'`,
  );
  await server.reload();
  const { of } = await examine(env);
  assert.match(
    of('durability', 'fault').join('\n'),
    /^fsync is off: .*set it to on\nfull_page_writes is off: /,
  );
  assert.match(
    of('durability', 'warning').join('\n'),
    /^synchronous_commit is off: .*set it to on\nautovacuum is off: /,
  );
  server.configure(
    'fsync = on',
    'full_page_writes = on',
    'autovacuum = on',
    'synchronous_commit = on',
    `synchronous_standby_names = ''`,
  );
  await server.reload();
});

test('a clock that is not that of the database is found', async (t, server) => {
  const env = await onServer(t, server);
  const NODE_OPTIONS = '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+7200000';
  const { stdout } = await run('tessera', ['doctor'], { env: { ...env, NODE_OPTIONS } });
  assert.match(stdout, /^warning {2}clock .*this machine was moved by 7\d{3}\.\d s while/m);
  assert.match(stdout, /^warning {2}clock .* 7\d{3}\.\d s ahead of that of the database: .*chrony/m);
});

test('a database that does not answer is one fault, without its password', async (t, server) => {
  const env = await onServer(t, server);
  const { stdout, code } = await run('tessera', ['doctor'], {
    env: { ...env, TESSERA_DATABASE: 'postgres://tessera:secret@127.0.0.1:1/tessera' },
  });
  assert.equal(code, 1);
  assert.match(stdout, /^fault {4}store .*127\.0\.0\.1:1: nothing listens there/m);
  assert.match(stdout, /^skipped {2}durability {3}the store cannot be opened$/m);
  assert.doesNotMatch(stdout, /secret/);
});

test('settings of Redis by which an accident loses tickets are found', async (t, server) => {
  const why = whyNoRedis();
  if (why !== undefined) return t.skip(why);
  const redis = await Redis.start(
    '--appendonly',
    'no',
    '--maxmemory',
    '100mb',
    '--maxmemory-policy',
    'allkeys-lru',
  );
  t.after(() => redis.remove());
  const { of } = await examine({ ...(await onServer(t, server)), TESSERA_TICKETS: redis.url });
  assert.match(of('versions', 'ok').join(), /PostgreSQL \d.*,Redis \d+\.\d+\.\d+ at 127\.0\.0\.1:\d+$/);
  assert.match(of('durability', 'fault').join(), /evicts keys .*: set maxmemory-policy noeviction$/);
  assert.match(of('durability', 'warning').join(), /no standby.*keeps no log .*: set appendonly yes/);
});
