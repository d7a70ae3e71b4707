import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Redis, whyNoRedis } from '../../service/redis.ts';
import { asUserOfPage } from './user-of-page.ts';

test('the user of the page can do nothing to the data of others, nor to their connections', {
  skip: whyNoRedis() ?? false,
}, async (t) => {
  const server = await Redis.start();
  t.after(() => server.remove());
  await asUserOfPage(server.url, [server]);
  const allows = async (...command: string[]) =>
    (await server.ask(['ACL', 'DRYRUN', 'tessera', ...command])) === 'OK';
  assert.equal(await allows('SET', 'tessera:x', '1'), true);
  for (const command of [
    ['SET', 'theirs', '1'],
    ['FLUSHALL'],
    ['FLUSHDB'],
    ['SWAPDB', '0', '1'],
    ['CLIENT', 'PAUSE', '1000'],
    ['CLIENT', 'KILL', 'TYPE', 'normal'],
    ['KEYS', '*'],
    ['CONFIG', 'SET', 'appendonly', 'no'],
    ['PUBLISH', 'theirs', 'x'],
    ['SHUTDOWN'],
  ])
    assert.equal(await allows(...command), false, command.join(' '));
});
