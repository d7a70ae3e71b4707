import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counterKeys, shareOf } from '../../../src/core/identity/throttle-state.ts';

const SECRET = Buffer.alloc(32, 1);
const keysOf = counterKeys(SECRET);

test('an attempt has a key for each counter, and they differ', () => {
  const keys = Object.values(keysOf('ann', '192.0.2.1'));
  assert.equal(new Set(keys).size, 5);
  for (const key of keys) assert.match(key, /^[0-9a-f]{64}$/);
});

test('the keys of a subscriber and a site are the same in their whole network, and differ by name', () => {
  const one = keysOf('ann', '2001:db8:1:200::/64');
  const other = keysOf('ann', '2001:db8:1:2ff::/64');
  assert.deepEqual([other.subscriber, other.site], [one.subscriber, one.site]);
  const further = keysOf('ann', '2001:db8:1:300::/64');
  assert.deepEqual([further.subscriber === one.subscriber, further.site === one.site], [false, true]);
  const byName = keysOf('ben', '2001:db8:1:200::/64');
  assert.deepEqual([byName.subscriber === one.subscriber, byName.site === one.site], [false, false]);
  assert.equal(keysOf('ann', '192.0.2.9').site, keysOf('ann', '192.0.2.1').site);
  assert.notEqual(keysOf('ann', '192.0.2.9').subscriber, keysOf('ann', '192.0.2.1').subscriber);
});

test('the key of a name is the same for all addresses, and that of an address the same for all names', () => {
  const one = keysOf('ann', '192.0.2.1');
  assert.equal(one.name, keysOf('ann', '192.0.2.2').name);
  assert.equal(one.address, keysOf('ben', '192.0.2.1').address);
  assert.notEqual(one.pair, keysOf('ann', '192.0.2.2').pair);
  assert.notEqual(one.pair, keysOf('ben', '192.0.2.1').pair);
});

test('no name can be made up that has the key of something else', () => {
  const address = '192.0.2.1';
  const keys = (name: string) => Object.values(keysOf(name, address));
  const others = [`ann\0${address}`, `pair\0ann\0${address}`, `site\0ann`, address, `name\0ann`, ''].flatMap(
    keys,
  );
  const own = new Set(keys('ann').filter((key) => key !== keysOf('ann', address).address));
  assert.deepEqual(
    others.filter((key) => own.has(key)),
    [],
  );
});

test('another secret gives other keys, so that a copied database reveals no names', () => {
  const other = counterKeys(Buffer.alloc(32, 2))('ann', '192.0.2.1');
  const own = Object.values(keysOf('ann', '192.0.2.1'));
  assert.deepEqual(
    Object.values(other).filter((key) => own.includes(key)),
    [],
  );
});

test('the numbers of keys are spread evenly, from 0 to below 1', () => {
  const shares = Array.from({ length: 100 }, (_, each) => shareOf(keysOf(`ann ${each}`, '192.0.2.1').name));
  const tenths = new Set(shares.map((share) => Math.floor(share * 10)));
  assert.deepEqual([...tenths].sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('the keys of an address are the same after addresses that are more than any memory holds', () => {
  const before = keysOf('ann', '192.0.2.1');
  for (let at = 0; at < 2_000; at += 1) keysOf('ann', `198.51.${at >> 8}.${at & 0xff}`);
  assert.deepEqual(keysOf('ann', '192.0.2.1'), before);
  assert.deepEqual(keysOf('ann', '192.0.2.1'), before);
});
