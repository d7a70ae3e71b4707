import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Shelf } from '../../../src/storage/sqlite/shelf.ts';

/** Texts that differ before their last characters alone, by which a shelf finds them. */
const [ONE, OTHER] = ['one', 'two'].map((start) => `${start} ${'x'.repeat(60)}`) as [string, string];

test('an answer is given for its own key alone, whoever has the same place', () => {
  const shelf = new Shelf<string, { of: string }>();
  shelf.set(ONE, { of: ONE });
  assert.equal(shelf.get(OTHER), undefined);
  shelf.set(OTHER, { of: OTHER });
  assert.deepEqual(shelf.get(OTHER), { of: OTHER });
  assert.equal(shelf.get(ONE), undefined);
});

test('a change takes out what was kept under its key, in both halves', () => {
  const shelf = new Shelf<string, { of: string }>();
  for (const key of [ONE, OTHER]) {
    shelf.set(ONE, { of: ONE });
    shelf.changes(key);
    shelf.settle(false);
    assert.equal(shelf.get(ONE), undefined);
  }
  shelf.set(ONE, { of: ONE });
  for (let filler = 0; filler < 16_384; filler += 1) shelf.set(`filler ${filler}`, { of: '' });
  assert.deepEqual(shelf.get(ONE), { of: ONE });
  shelf.changes(ONE);
  shelf.settle(false);
  assert.equal(shelf.get(ONE), undefined);
});

test('texts and numbers are told apart by all of them, and the oldest answers are forgotten', () => {
  const texts = new Shelf<string, { of: string }>();
  const numbers = new Shelf<number, { of: number }>();
  for (let each = 0; each < 16_000; each += 1) {
    texts.set(`key ${each}`, { of: `key ${each}` });
    numbers.set(each, { of: each });
  }
  let kept = 0;
  for (let each = 0; each < 16_000; each += 1) {
    assert.deepEqual(numbers.get(each), { of: each });
    const answer = texts.get(`key ${each}`);
    if (answer === undefined) continue;
    assert.equal(answer.of, `key ${each}`);
    kept += 1;
  }
  assert.ok(kept > 15_900, `${kept} of 16,000 have a place of their own`);
  for (let each = 16_000; each < 64_000; each += 1) numbers.set(each, { of: each });
  assert.equal(numbers.get(0), undefined);
});

test('a shelf keeps what is asked for, and lets go of what nobody asked for while 32,768 others came', () => {
  const shelf = new Shelf<number, object>();
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
