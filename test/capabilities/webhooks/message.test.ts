import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventMessage, signedHeaders } from '../../../src/capabilities/webhooks/message.ts';
import { isSigned, OTHER_SECRET, SECRET } from './receiver.ts';

const keyOf = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64');
const WHO = { user: 'ada', actor: 'root', from: '192.0.2.1', program: 'curl/8.5.0' } as const;
const EVENT = { id: 7, at: 1_700_000_000_123, kind: 'user-disabled', ...WHO, count: 1 } as const;

test('the signature is that of the test vector which libraries of Standard Webhooks share', () => {
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
  const headers = signedHeaders(
    message,
    [keyOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
    1_614_265_330_999,
  );
  assert.deepEqual(headers, {
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a message has a signature for each secret, the newest first', () => {
  const message = eventMessage(EVENT, 'ab');
  const headers = signedHeaders(message, [SECRET, OTHER_SECRET].map(keyOf), 1_614_265_330_000);
  const received = { headers, body: message.body };
  assert.ok(isSigned(received, SECRET));
  assert.ok(isSigned(received, OTHER_SECRET));
  assert.equal(headers['webhook-signature']?.split(' ').length, 2);
  assert.ok(!isSigned({ headers, body: `${message.body} ` }, SECRET));
});

test('the message of an event has its kind, its time and its members, and the id of the database in its id', () => {
  const { id, body } = eventMessage(EVENT, 'ab12');
  assert.equal(id, 'evt_ab12_7');
  assert.deepEqual(JSON.parse(body), {
    type: 'event.user_disabled',
    timestamp: '2023-11-14T22:13:20.123Z',
    data: { id: 7, at: '2023-11-14T22:13:20.123Z', kind: 'user-disabled', ...WHO, count: 1 },
  });
});
