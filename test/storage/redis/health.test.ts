import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../../src/main/store.ts';
import { readSettings } from '../../../src/settings/read.ts';
import { healthOf } from '../../../src/storage/redis/open.ts';
import type { RedisServers } from '../../../src/storage/redis/servers.ts';
import { Redis, whyNoRedis } from '../../service/redis.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openUntilEnd } from './opened.ts';
import { asUserOfPage } from './user-of-page.ts';

const skip = whyNoRedis() ?? false;

test('a service does not start on a Redis that evicts live tickets', { skip }, async (t) => {
  const redis = await Redis.start('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
  t.after(() => redis.remove());
  const env = { TESSERA_DATA: await temporaryFolder(t), TESSERA_TICKETS: redis.url };
  const { settings } = readSettings({ flags: {}, env });
  await assert.rejects(openStore(settings, 'service'), /set maxmemory-policy noeviction/);
  const { store } = await openStore(settings, 'command');
  await store.close();
});

test('Redis 7 and later are accepted, and an older one is refused with the mend', async () => {
  const refusalOf = async (version: string) => {
    const servers = { askAll: async () => [{ from: 'there', reply: `redis_version:${version}\r\n` }] };
    return (await healthOf(servers as unknown as RedisServers)).refusal;
  };
  assert.match((await refusalOf('6.2.20')) ?? '', /has version 6\.2\.20: run Redis 7 or later, or Valkey$/);
  for (const version of ['7.0.0', '10.0.1']) assert.equal(await refusalOf(version), undefined);
});

test('a Redis that keeps no log, has no limit or no replica is warned of', { skip }, async (t) => {
  const redis = await Redis.start('--appendonly', 'no');
  t.after(() => redis.remove());
  const store = await openUntilEnd(t, await asUserOfPage(redis.url, [redis]));
  const { refusal, warnings } = await store.health();
  assert.equal(refusal, undefined);
  assert.match(warnings.join('\n'), /no maxmemory.*appendonly yes.*no replica/s);
});

test('a ticket store that cannot be used is reported in one sentence, without its password', {
  skip,
}, async (t) => {
  const data = await temporaryFolder(t);
  const redis = await Redis.start();
  t.after(() => redis.remove());
  await redis.ask(['CONFIG', 'SET', 'requirepass', 'right']);
  const why = async (url: string) => {
    const { settings } = readSettings({ flags: {}, env: { TESSERA_DATA: data, TESSERA_TICKETS: url } });
    return openStore(settings, 'service').then(
      () => 'opened',
      (error: Error) => error.message,
    );
  };
  assert.match(
    await why('redis://127.0.0.1:1'),
    /cannot use the ticket store at 127.0.0.1:1: .*nothing listens there/,
  );
  const refused = await why(`redis://:secret@127.0.0.1:${redis.port}`);
  assert.match(refused, /cannot use the ticket store at .*refuses the user or the password.*_PASSWORD_FILE/);
  assert.ok(!refused.includes('secret'));
  for (const user of ['', 'tessera@'])
    assert.match(
      await why(`redis://${user}127.0.0.1:${redis.port}`),
      /asks for a password, and none was given.*TESSERA_TICKETS_PASSWORD_FILE/,
    );
  const others = [await Redis.start(), await Redis.start()];
  for (const other of others) t.after(() => other.remove());
  const both = `redis://${others.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  assert.match(await why(both), /several Redis servers, which are no cluster/);
});
