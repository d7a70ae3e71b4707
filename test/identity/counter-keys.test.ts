import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counterKeys, shareOf } from '../../src/identity/counter-keys.ts';

const SECRET = Buffer.alloc(32, 1);
const keysOf = counterKeys(SECRET);

test('a try has three keys that differ: its name, its pair and its address', () => {
  const { name, pair, address } = keysOf('ann', '192.0.2.1');
  assert.equal(new Set([name, pair, address]).size, 3);
  for (const key of [name, pair, address]) assert.match(key, /^[0-9a-f]{64}$/);
});

test('the key of a name is the same from everywhere, that of an address the same for everyone', () => {
  const one = keysOf('ann', '192.0.2.1');
  assert.equal(one.name, keysOf('ann', '192.0.2.2').name);
  assert.equal(one.address, keysOf('ben', '192.0.2.1').address);
  assert.notEqual(one.pair, keysOf('ann', '192.0.2.2').pair);
  assert.notEqual(one.pair, keysOf('ben', '192.0.2.1').pair);
});

test('a name cannot be made that has the key of something else', () => {
  const address = '192.0.2.1';
  const keys = (name: string) => Object.values(keysOf(name, address));
  const others = [`ann\0${address}`, `pair\0ann\0${address}`, address, `name\0ann`, ''].flatMap(keys);
  const own = new Set(keys('ann').filter((key) => key !== keysOf('ann', address).address));
  assert.deepEqual(
    others.filter((key) => own.has(key)),
    [],
  );
});

test('another secret gives other keys, so that a copied database tells no names', () => {
  const other = counterKeys(Buffer.alloc(32, 2))('ann', '192.0.2.1');
  const own = Object.values(keysOf('ann', '192.0.2.1'));
  assert.deepEqual(
    Object.values(other).filter((key) => own.includes(key)),
    [],
  );
});

test('the shares of keys lie all over, from 0 to below 1', () => {
  const shares = Array.from({ length: 100 }, (_, each) => shareOf(keysOf(`ann ${each}`, '192.0.2.1').name));
  const tenths = new Set(shares.map((share) => Math.floor(share * 10)));
  assert.deepEqual([...tenths].sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
