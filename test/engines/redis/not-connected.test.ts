import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../../src/core/domain/redaction.ts';
import { whyNotConnected, whySilent } from '../../../src/engines/redis/connection.ts';
import { ErrorReply } from '../../../src/engines/redis/resp.ts';
import { targetOf } from '../../../src/engines/redis/target.ts';

const ended = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
const refused = new ErrorReply('WRONGPASS invalid username-password pair');
const plain = targetOf('redis://redis.example.org', { password: 'hush hush' });
const overTls = targetOf('rediss://redis.example.org', {});

test('why a connection could not be made is told whole in the log', () => {
  for (const target of [plain, overTls])
    for (const why of [refused, ended].map((error) => whyNotConnected(error, { target, isFirst: true })))
      assert.equal(redact(why), why);
});

test('whether TLS is meant is asked until there was a connection once', () => {
  const first = { isFirst: true };
  assert.match(whySilent({ target: overTls, ...first }), /TLS/);
  assert.match(whyNotConnected(ended, { target: plain, ...first }), /TLS/);
  const later = { isFirst: false };
  assert.equal(whySilent({ target: overTls, ...later }), 'it does not answer');
  assert.equal(whyNotConnected(ended, { target: plain, ...later }), 'read ECONNRESET');
});
