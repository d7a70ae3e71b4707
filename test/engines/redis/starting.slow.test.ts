import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../../crash/serve.ts';
import { Redis, whyNoRedis } from '../../service/redis.ts';
import { RedisCluster } from '../../service/redis-cluster.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openUntilEnd } from './opened.ts';

const skip = whyNoRedis() ?? false;

test('a service whose ticket store does not answer in part says so and ends, and one that is slow for a moment starts', {
  skip,
}, async (t) => {
  const cluster = await RedisCluster.start({ nodeTimeout: 60_000 });
  t.after(() => cluster.remove());
  const settings = { TESSERA_TICKETS: cluster.url };
  const master = await cluster.masterOf(0);
  master.freeze();
  const first = serve(t, await temporaryFolder(t), settings);
  const { code, said } = await first.ended;
  assert.notEqual(code, 0);
  assert.match(said, new RegExp(`Redis at 127.0.0.1:${master.port}`));
  const second = serve(t, await temporaryFolder(t), settings);
  master.thaw();
  assert.match(await second.url, /^http/);
});

test('a start on a Redis that lacks a command, or permits too little, tells what it said', {
  skip,
}, async (t) => {
  const lacking = await Redis.start(
    '--rename-command',
    'EVALSHA',
    'HIDDEN',
    '--rename-command',
    'GET',
    'HIDDEN2',
  );
  t.after(() => lacking.remove());
  await assert.rejects(
    openUntilEnd(t, lacking.url, { options: {} }),
    /refuses a command \(ERR\) \(ERR unknown command 'GET'/,
  );
  const narrow = await Redis.start();
  t.after(() => narrow.remove());
  await narrow.ask(['ACL', 'SETUSER', 'default', '-get']);
  await assert.rejects(
    openUntilEnd(t, narrow.url, { options: {} }),
    /lacks a permission: .* \(NOPERM .*'get' command\)$/,
  );
});
