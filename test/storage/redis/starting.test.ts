import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../../crash/serve.ts';
import { whyNoRedis } from '../../service/redis.ts';
import { RedisCluster } from '../../service/redis-cluster.ts';
import { temporaryFolder } from '../../service/start.ts';

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
