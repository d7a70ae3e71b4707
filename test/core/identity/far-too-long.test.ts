import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeName } from '../../../src/capabilities/action-definitions/domain/node.ts';
import { userKey } from '../../../src/core/domain/user.ts';
import { isTooLong } from '../../../src/core/identity/password-hash.ts';
import { startTestService } from '../../service/start.ts';

/** Unordered marks: normalizing them takes time that grows with the square of their number. */
const MARKS = '\u0315'.repeat(16_000) + '\u0316'.repeat(16_000);
const IN_HEADER = MARKS.slice(13_500, 18_500);

test('a name or password that is too long for anybody is not normalized', async (t) => {
  const { url } = await startTestService(t);
  let longest = 0;
  const normalize = String.prototype.normalize;
  t.mock.method(String.prototype, 'normalize', function (this: string, form: string) {
    longest = Math.max(longest, this.length);
    return normalize.call(this, form);
  });
  const basic = (user: string, password: string) =>
    fetch(`${url}/api/rules/actiondefs`, {
      headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
    });
  const logIn = (username: string, password: string) =>
    fetch(`${url}/api/login`, { method: 'POST', body: JSON.stringify({ username, password }) });
  const asked = [logIn(MARKS, 'p'), logIn('ann', MARKS), basic(IN_HEADER, 'p'), basic('ann', IN_HEADER)];
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  assert.deepEqual(statuses, [403, 400, 401, 401]);
  assert.ok(longest > 0 && longest <= 1_536, `${longest} characters were composed`);
});

test('a name or password whose NFC has the greatest length is normalized', () => {
  // NFC makes one code point of these three.
  const syllable = '\u1112\u1161\u11ab';
  assert.equal(userKey(syllable.repeat(85)), '\ud55c'.repeat(85));
  assert.equal(nodeName(syllable.repeat(341)), '\ud55c'.repeat(341));
  assert.equal(isTooLong(syllable.repeat(341)), false);
  assert.equal(isTooLong(syllable.repeat(342)), true);
  // The character that NFC shortens most: three bytes become two.
  assert.equal(isTooLong('\u1fbe\u0308\u0301'.repeat(512)), false);
});
