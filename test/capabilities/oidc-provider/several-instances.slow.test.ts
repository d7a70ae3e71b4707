import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import * as oidc from 'openid-client';
import type { Store } from '../../../src/core/storage/store.ts';
import { openRedis } from '../../../src/engines/redis/open.ts';
import { LIFETIME, PATIENT } from '../../engines/redis/opened.ts';
import { Postgres, whyNoPostgres } from '../../service/postgres.ts';
import { whyNoRedis } from '../../service/redis.ts';
import { RedisCluster } from '../../service/redis-cluster.ts';
import { startTestService, temporaryFolder } from '../../service/start.ts';
import { openPostgres } from '../../service/stores.ts';
import { addApplication, goThrough, PROVIDER, RelyingParty } from './relying-party.ts';

const why = whyNoRedis() ?? whyNoPostgres();
const engines = why === undefined ? await start() : undefined;

async function start() {
  const cluster = await RedisCluster.start();
  after(() => cluster.remove());
  const server = await Postgres.start();
  after(() => server.remove());
  return { cluster, server };
}

/** Two instances that share a store, and an application as each of them serves it. */
async function twoInstances(t: TestContext, openStore: () => Promise<Store>) {
  const folder = await temporaryFolder(t);
  const keys = {
    TESSERA_SECRET_KEYS_FILE: join(folder, 'keys'),
    TESSERA_THROTTLE_KEY_FILE: join(folder, 'throttle'),
  };
  const begin = async () => {
    const store = await openStore();
    return startTestService(t, { ...PROVIDER, ...keys }, () => store);
  };
  const one = await begin();
  const other = await begin();
  await one.addUser('anna');
  const secret = await addApplication(one, 'app', { trusted: true, accessTokens: 'opaque' });
  const authentication = oidc.ClientSecretBasic(secret);
  return {
    one: await RelyingParty.discover(one, 'app', authentication),
    other: await RelyingParty.discover(other, 'app', authentication),
  };
}

const REFUSED = { error: 'invalid_grant', status: 400 };

async function checkInstances(t: TestContext, openStore: () => Promise<Store>): Promise<void> {
  const { one, other } = await twoInstances(t, openStore);
  const visitor = one.visitor();
  const begun = await one.begin();
  const tokens = await other.tokensFor(await goThrough(visitor, begun.path), begun);
  assert.equal((await oidc.tokenIntrospection(one.configuration, tokens.access_token)).active, true);
  const later = await oidc.refreshTokenGrant(one.configuration, tokens.refresh_token ?? '');
  await visitor.send('/portal/account', '/portal/logout');
  await assert.rejects(oidc.refreshTokenGrant(other.configuration, later.refresh_token ?? ''), REFUSED);
  assert.deepEqual(await oidc.tokenIntrospection(other.configuration, later.access_token), { active: false });

  const twice = await one.begin();
  const callback = await goThrough(one.visitor(), twice.path);
  const uses = await Promise.allSettled([one.tokensFor(callback, twice), other.tokensFor(callback, twice)]);
  const granted = uses.flatMap((use) => (use.status === 'fulfilled' ? [use.value] : []));
  assert.ok(granted.length <= 1);
  for (const { refresh_token: token = '' } of granted)
    await assert.rejects(oidc.refreshTokenGrant(one.configuration, token), REFUSED);
}

test('on PostgreSQL a log-out at one instance ends what another one issued, and a code is good once', async (t) => {
  if (engines === undefined) return t.skip(why);
  const database = await engines.server.freshSchema();
  await checkInstances(t, () => openPostgres(database));
});

test('with tickets in Redis it is the same', async (t) => {
  if (engines === undefined) return t.skip(why);
  const { cluster, server } = engines;
  await cluster.flush();
  const database = await server.freshSchema();
  await checkInstances(t, async () => {
    const below = await openPostgres(database);
    return openRedis(cluster.url, { store: below, lifetime: LIFETIME, clock: below.clock }, PATIENT);
  });
});
