import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../../src/core/storage/store.ts';
import { targetOf } from '../../../src/engines/redis/target.ts';

test('servers, user and password are taken from the URL', () => {
  const { seeds, username, password, tls } = targetOf(
    'redis://tessera:p%40ss@one.example.org:7001,[::1]:7002,two',
  );
  assert.deepEqual(seeds, [
    { name: 'one.example.org', port: 7_001 },
    { name: '::1', port: 7_002 },
    { name: 'two', port: 6_379 },
  ]);
  assert.deepEqual([username, password, tls], ['tessera', 'p@ss', undefined]);
});

test('a separate password is used in place of the one in the URL', () => {
  assert.equal(targetOf('redis://u:old@h', { password: 'new' }).password, 'new');
  assert.equal(targetOf('redis://h').password, undefined);
});

test('rediss:// is TLS that checks the server', () => {
  assert.deepEqual(targetOf('rediss://h').tls, { rejectUnauthorized: true });
});

test('a URL that is not understood is refused with the mend, and never shown', () => {
  const faulty = [
    'redis://',
    'redis://u:secret@h:0',
    'redis://u:secret@h:x',
    'redis://u:secret@h/1',
    'rediss://u:secret@h?ca=x',
    'redis://u:%zz@h',
    'redis://u:secret@h?cacert=x',
    'redis://u:secret',
    'redis://u:secret?12@h:6379',
    'redis://u:12?secret@h:6379',
  ];
  for (const url of faulty)
    assert.throws(
      () => targetOf(url),
      (error: Error) => error instanceof StoreUnavailable && !error.message.includes('secret'),
      url,
    );
});
