import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOf, TwoGenerationCache } from '../../../src/engines/cache/recently-read.ts';

/** Two texts with the same hash. */
function withOneHash(): [string, string] {
  const seen = new Map<number, string>();
  for (let number = 0; ; number += 1) {
    const text = `key ${number}`;
    const other = seen.get(hashOf(text));
    if (other !== undefined) return [other, text];
    seen.set(hashOf(text), text);
  }
}

const [ONE, OTHER] = withOneHash();

test('a value is found by its own key alone, not by another key with the same hash', () => {
  const cache = new TwoGenerationCache<string, { of: string }>();
  cache.set(ONE, { of: ONE });
  assert.equal(cache.get(OTHER), undefined);
  cache.set(OTHER, { of: OTHER });
  assert.deepEqual(cache.get(OTHER), { of: OTHER });
  assert.equal(cache.get(ONE), undefined);
});

test('usual keys mostly have different hashes, wherever they differ', () => {
  const number = (each: number) => String(each).padStart(5, '0');
  for (const keyOf of [
    (each: number) => `key ${each}`,
    (each: number) => `user${number(each)}@accounting.example-company.com`,
    (each: number) => `Company Home/Sites/site-${number(each)}/documentLibrary/Contracts`,
    (each: number) => each.toString(16).padStart(64, '0'),
    (each: number) => number(each).padEnd(64, '0'),
  ]) {
    const cache = new TwoGenerationCache<string, { of: string }>();
    const keys = Array.from({ length: 16_000 }, (_, each) => keyOf(each));
    for (const key of keys) cache.set(key, { of: key });
    const kept = keys.filter((key) => cache.get(key)?.of === key);
    assert.ok(kept.length > 15_900, `${kept.length} of 16,000 like ${keys[0]}`);
  }
});

test('a cache keeps entries that are used, and drops one that was not used while 32,768 others came', () => {
  const cache = new TwoGenerationCache<number, object>();
  const [asked, forgotten] = [{}, {}];
  cache.set(-1, asked);
  cache.set(-2, forgotten);
  for (let key = 0; key < 32_768; key += 1) {
    cache.set(key, {});
    if (key % 1_000 === 0) assert.equal(cache.get(-1), asked);
  }
  assert.equal(cache.get(-1), asked);
  assert.equal(cache.get(-2), undefined);
  assert.ok(cache.get(32_767 - 16_000));
});

test('a cache keeps no more entries than it may, and none at all if that is 0', () => {
  for (const most of [0, 1, 2, 100]) {
    const cache = new TwoGenerationCache<number, object>(most);
    for (let key = 0; key < 1_000; key += 1) cache.set(key, {});
    let entries = 0;
    for (let key = 0; key < 1_000; key += 1) if (cache.get(key) !== undefined) entries += 1;
    assert.ok(entries <= most, `${entries} of ${most}`);
    assert.equal(cache.get(999) !== undefined, most > 0);
  }
});

test('long keys are dropped sooner: the characters of all keys are limited as well', () => {
  const cache = new TwoGenerationCache<string, object>();
  const keyOf = (each: number) => `${each} `.padEnd(10_000, 'x');
  for (let each = 0; each < 2_000; each += 1) cache.set(keyOf(each), {});
  assert.equal(cache.get(keyOf(0)), undefined);
  assert.ok(cache.get(keyOf(1_999 - 150)));
});
