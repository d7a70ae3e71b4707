import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf, TwoGenerationCache } from '../../../src/storage/sqlite/two-generation-cache.ts';

/** Two texts that have the same place. */
function ofOnePlace(): [string, string] {
  const seen = new Map<number, string>();
  for (let number = 0; ; number += 1) {
    const text = `key ${number}`;
    const other = seen.get(placeOf(text));
    if (other !== undefined) return [other, text];
    seen.set(placeOf(text), text);
  }
}

const [ONE, OTHER] = ofOnePlace();

test('an answer is given for its own key alone, whoever has the same place', () => {
  const shelf = new TwoGenerationCache<string, { of: string }>();
  shelf.set(ONE, { of: ONE });
  assert.equal(shelf.get(OTHER), undefined);
  shelf.set(OTHER, { of: OTHER });
  assert.deepEqual(shelf.get(OTHER), { of: OTHER });
  assert.equal(shelf.get(ONE), undefined);
});

test('a change takes out what was kept under its key, in both halves, and nothing else', () => {
  const shelf = new TwoGenerationCache<string, { of: string }>();
  shelf.set('another', { of: 'another' });
  for (const key of [ONE, OTHER]) {
    shelf.set(ONE, { of: ONE });
    shelf.note(key);
    shelf.settle(false);
    assert.equal(shelf.get(ONE), undefined);
    assert.deepEqual(shelf.get('another'), { of: 'another' });
  }
  shelf.set(ONE, { of: ONE });
  for (let filler = 0; filler < 16_384; filler += 1) shelf.set(`filler ${filler}`, { of: '' });
  assert.deepEqual(shelf.get(ONE), { of: ONE });
  shelf.note(ONE);
  shelf.settle(false);
  assert.equal(shelf.get(ONE), undefined);
});

test('keys as they come mostly have a place of their own, wherever they differ', () => {
  const number = (each: number) => String(each).padStart(5, '0');
  for (const keyOf of [
    (each: number) => `key ${each}`,
    (each: number) => `user${number(each)}@accounting.example-company.com`,
    (each: number) => `Company Home/Sites/site-${number(each)}/documentLibrary/Contracts`,
    (each: number) => each.toString(16).padStart(64, '0'),
    (each: number) => number(each).padEnd(64, '0'),
  ]) {
    const shelf = new TwoGenerationCache<string, { of: string }>();
    const keys = Array.from({ length: 16_000 }, (_, each) => keyOf(each));
    for (const key of keys) shelf.set(key, { of: key });
    const kept = keys.filter((key) => shelf.get(key)?.of === key);
    assert.ok(kept.length > 15_900, `${kept.length} of 16,000 like ${keys[0]}`);
  }
});

test('a shelf keeps what is asked for, and lets go of what nobody asked for while 32,768 others came', () => {
  const shelf = new TwoGenerationCache<number, object>();
  const [asked, forgotten] = [{}, {}];
  shelf.set(-1, asked);
  shelf.set(-2, forgotten);
  for (let key = 0; key < 32_768; key += 1) {
    shelf.set(key, {});
    if (key % 1_000 === 0) assert.equal(shelf.get(-1), asked);
  }
  assert.equal(shelf.get(-1), asked);
  assert.equal(shelf.get(-2), undefined);
  assert.ok(shelf.get(32_767 - 16_000));
});

test('long keys are let go of sooner: what a shelf takes is bounded by their characters as well', () => {
  const shelf = new TwoGenerationCache<string, object>();
  const keyOf = (each: number) => `${each} `.padEnd(10_000, 'x');
  for (let each = 0; each < 2_000; each += 1) shelf.set(keyOf(each), {});
  assert.equal(shelf.get(keyOf(0)), undefined);
  assert.ok(shelf.get(keyOf(1_999 - 150)));
});
