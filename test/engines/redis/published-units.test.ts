import { testsOnRedis } from '../../service/redis.ts';
import { assertPublished } from '../published-units.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnRedis();

test('each unit is published with both engines, its access and how it ended', async (t, redis) => {
  await assertPublished(await openUntilEnd(t, redis.url), 'redis', 'sqlite');
});
