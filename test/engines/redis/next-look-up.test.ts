import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { NOW } from '../../core/storage/conformance/samples.ts';
import { testsOnRedis } from '../../service/redis.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { deadForTheNextLookUp, ROUNDS } from '../next-look-up.ts';
import { lineTo } from '../postgres/proxy.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnRedis();

test('a ticket is dead for the next look-up of each of three instances, while lines stand still and are cut', async (t, redis) => {
  await redis.ask(['FLUSHALL']);
  const folder = await temporaryFolder(t);
  const [one, other] = [await lineTo(t, `${redis.url}/`), await lineTo(t, `${redis.url}/`)];
  const open = (url: string) => openUntilEnd(t, url, { below: openSqlite(folder), clock: () => NOW });
  const instances = [await open(redis.url), await open(one.url), await open(other.url)];
  const ending = new AbortController();
  const disturb = async () => {
    for (let times = 1; !ending.signal.aborted; times += 1) {
      const line = times % 2 === 0 ? one : other;
      line.freeze();
      await pause(randomInt(15));
      line.thaw();
      if (times % 20 === 0) line.cut();
      await pause(randomInt(15));
    }
  };
  const disturbed = disturb();
  const { valid, after, unanswered } = await deadForTheNextLookUp(instances).finally(() => ending.abort());
  await disturbed;
  t.diagnostic(`${valid} look-ups of valid tickets, ${after} of revoked ones, ${unanswered} not answered`);
  assert.ok(valid > ROUNDS && after > ROUNDS, `${valid}, ${after}, ${unanswered}`);
});
