import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal } from '../../../src/core/domain/refusal.ts';
import { parseTarget } from '../../../src/core/http/resolve-request.ts';
import { startTestService } from '../../service/start.ts';
import { play } from './scenario.ts';

/** As many different values of `u` as a URL can hold. */
const MANY = Array.from({ length: 2_000 }, (_, n) => `u=${n.toString(36)}`).join('&');

test('of thousands of values of one argument the first eight are kept', () => {
  const target = parseTarget(`/x?${MANY}&pw=a`);
  assert.ok(!isRefusal(target));
  assert.deepEqual(target.query.get('u'), ['0', '1', '2', '3', '4', '5', '6', '7']);
  assert.deepEqual(target.query.get('pw'), ['a']);
});

test('an argument with thousands of values is refused like one with two', async (t) => {
  const { url } = await startTestService(t);
  await play(t, url, [
    {
      name: 'by the login, in one answer',
      ask: `GET /api/login?${MANY}`,
      status: 400,
      message: 'Argument given twice with different values: u',
    },
  ]);
});

test('a target is split at its slashes, and a whole address is read from its path on', () => {
  for (const [url, segments] of [
    ['/a//b/', ['a', '', 'b', '']],
    ['/http://x/a', ['http:', '', 'x', 'a']],
    ['HTTPS://x:80/a/b?c=d', ['a', 'b']],
    ['http://x', []],
  ] as const) {
    const target = parseTarget(url);
    assert.ok(!isRefusal(target));
    assert.deepEqual(target.segments, segments, url);
  }
});
