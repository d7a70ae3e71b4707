import assert from 'node:assert/strict';
import { NOW } from '../../core/storage/conformance/samples.ts';
import { testsOnRedis } from '../../service/redis.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { deadForTheNextLookUp, ROUNDS, whileDisturbed } from '../next-look-up.ts';
import { lineTo } from '../postgres/proxy.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnRedis();

test('a ticket is dead for the next look-up of each of three instances, while lines stand still and are cut', async (t, redis) => {
  await redis.ask(['FLUSHALL']);
  const folder = await temporaryFolder(t);
  const [one, other] = [await lineTo(t, `${redis.url}/`), await lineTo(t, `${redis.url}/`)];
  const open = (url: string) => openUntilEnd(t, url, { below: openSqlite(folder), clock: () => NOW });
  const instances = [await open(redis.url), await open(one.url), await open(other.url)];
  const { valid, after, unanswered } = await whileDisturbed([one, other], () =>
    deadForTheNextLookUp(instances),
  );
  t.diagnostic(`${valid} look-ups of valid tickets, ${after} of revoked ones, ${unanswered} not answered`);
  assert.ok(valid > ROUNDS && after > ROUNDS, `${valid}, ${after}, ${unanswered}`);
});
