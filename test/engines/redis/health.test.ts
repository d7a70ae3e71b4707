import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../../src/core/domain/finding.ts';
import { findingsOf } from '../../../src/engines/redis/durability.ts';
import type { RedisServers } from '../../../src/engines/redis/servers.ts';
import { readSettings } from '../../../src/main/settings.ts';
import { openStore } from '../../../src/main/store.ts';
import { Redis, whyNoRedis } from '../../service/redis.ts';
import { temporaryFolder } from '../../service/start.ts';
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

/** What is found at a master with these fields of `INFO` and these settings; it shows no settings if there are none. */
async function found(info: Record<string, string>, config?: Record<string, string>): Promise<Finding[]> {
  const fields = {
    redis_version: '7.2.0',
    maxmemory: '100',
    aof_enabled: '1',
    connected_slaves: '1',
    ...info,
  };
  const reply = Object.entries(fields).map(([name, value]) => `${name}:${value}\r\n`);
  const askAll = async ([command]: readonly string[]) => {
    if (command === 'INFO') return [{ from: 'there', reply: reply.join('') }];
    if (config === undefined) throw new Error('NOPERM');
    return [{ from: 'there', reply: Object.entries(config).flat() }];
  };
  return findingsOf({ askAll } as unknown as RedisServers);
}

const ALWAYS = { appendfsync: 'always', 'min-replicas-to-write': '0' };

test('Redis 7 and later are accepted, and an older one is a fault with the mend', async () => {
  const [old] = await found({ redis_version: '6.2.20' }, ALWAYS);
  assert.deepEqual(old, {
    level: 'fault',
    what: 'Redis at there has version 6.2.20',
    mend: 'run Redis 7 or later, or Valkey',
  });
  for (const version of ['7.0.0', '10.0.1'])
    assert.deepEqual(await found({ redis_version: version }, ALWAYS), []);
});

test('each thing that an accident with Redis would need is found, with its mend', async () => {
  const only = async (info: Record<string, string>, config?: Record<string, string>) => {
    const [finding, ...more] = await found(info, config);
    assert.deepEqual(more, []);
    return `${finding?.level}: ${finding?.what}: ${finding?.mend}`;
  };
  const lru = { maxmemory_policy: 'allkeys-lru' };
  assert.match(await only(lru, ALWAYS), /^fault: .* live tickets .*noeviction$/);
  assert.match(await only({ ...lru, maxmemory: '0' }, ALWAYS), /^warning: .*noeviction$/);
  assert.match(await only({ maxmemory: '0' }, ALWAYS), /^warning: .*no maxmemory/);
  assert.match(await only({ aof_enabled: '0' }, ALWAYS), /^warning: .*appendonly yes$/);
  assert.match(await only({ aof_last_write_status: 'err' }, ALWAYS), /^fault: .*disk/);
  assert.match(await only({}, { appendfsync: 'everysec' }), /^warning: .*everysec.*appendfsync always$/);
  assert.match(await only({}), /^warning: .*does not show its settings.*\+config\|get/);
  assert.match(await only({ connected_slaves: '0' }, ALWAYS), /^warning: .*no replica/);
  const two = { ...ALWAYS, 'min-replicas-to-write': '2' };
  assert.match(await only({ min_slaves_good_slaves: '1' }, two), /^fault: .*1 of the 2 replicas/);
  assert.deepEqual(await found({ min_slaves_good_slaves: '2' }, two), []);
});

test('a start warns of a Redis as it is installed, as the user of the page', { skip }, async (t) => {
  const redis = await Redis.start('--appendonly', 'no');
  t.after(() => redis.remove());
  const tickets = await asUserOfPage(redis.url, [redis]);
  const env = { TESSERA_DATA: await temporaryFolder(t), TESSERA_TICKETS: tickets };
  const { settings } = readSettings({ flags: {}, env });
  const warned = async () => {
    const { store, warnings = [] } = await openStore(settings, 'service');
    await store.close();
    return warnings.join('\n');
  };
  assert.match(await warned(), /no maxmemory.*appendonly yes.*no replica/s);
  await redis.ask(['CONFIG', 'SET', 'appendonly', 'yes']);
  assert.match(await warned(), /appendfsync everysec/);
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
