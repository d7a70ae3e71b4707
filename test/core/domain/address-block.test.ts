import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockOf, HOST, SITE, SUBSCRIBER } from '../../../src/core/domain/address-block.ts';

const BLOCKS = [
  ['192.0.2.77', '192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2ff::5', '2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48'],
  ['2001:db8:1:2ff::/64', '2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48'],
  ['2001:0DB8:0001:0:0:0:0:5', '2001:db8:1::/64', '2001:db8:1::/56', '2001:db8:1::/48'],
] as const;

for (const [address, host, subscriber, site] of BLOCKS) {
  test(`${address} is in the blocks of its host, its subscriber and its site`, () => {
    assert.equal(blockOf(address, HOST), host);
    assert.equal(blockOf(address, SUBSCRIBER), subscriber);
    assert.equal(blockOf(address, SITE), site);
  });
}

test('addresses with the same leading bits are in one block, others are not', () => {
  const inOne = ['2001:db8:1:200::1', '2001:db8:1:2ff::1'].map((address) => blockOf(address, SUBSCRIBER));
  assert.equal(new Set(inOne).size, 1);
  assert.notEqual(blockOf('2001:db8:1:300::1', SUBSCRIBER), inOne[0]);
  assert.notEqual(blockOf('192.0.3.1', SITE), blockOf('192.0.2.1', SITE));
});

test('a text that is no address is returned unchanged', () => {
  for (const text of ['unknown', '', '192.0.2.256', '2001:db8:::1/64'])
    assert.equal(blockOf(text, SITE), text);
});

test('the bits may end within a byte', () => {
  assert.equal(blockOf('192.0.2.77', { ipv4: 26, ipv6: 60 }), '192.0.2.64/26');
  assert.equal(blockOf('2001:db8:1:2ff::5', { ipv4: 26, ipv6: 60 }), '2001:db8:1:2f0::/60');
});
