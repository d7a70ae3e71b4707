import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseAfter, waitAfter } from '../../../src/capabilities/webhooks/receiver-queue.ts';

const HOUR = 3_600_000;
const attempts = [1, 2, 3, 4, 5, 6, 7, 8, 9];

test('ten attempts are spread over three days, and up to a fifth more at random', () => {
  const total = (random: number) =>
    attempts.reduce((sum, attempt) => sum + (waitAfter(attempt, undefined, random) ?? 0), 0);
  assert.equal(total(0), 75 * HOUR + 35 * 60_000 + 5_000);
  assert.equal(Math.round((total(0.5) / total(0)) * 100), 110);
  assert.equal(waitAfter(10, undefined, 0), undefined);
  assert.equal(waitAfter(10, HOUR, 0), undefined);
});

test('a receiver may ask for a longer wait, up to a day, and for no shorter one', () => {
  assert.equal(waitAfter(1, HOUR, 0), HOUR);
  assert.equal(waitAfter(1, 100 * HOUR, 0), 24 * HOUR);
  assert.equal(waitAfter(3, 1_000, 0), HOUR / 2);
});

test('failures in a row make a pause that grows to a minute', () => {
  assert.deepEqual(
    [1, 4, 5, 6, 7, 50].map((failures) => pauseAfter(failures, undefined)),
    [...[0, 0, 1_000, 2_000, 4_000, 60_000]],
  );
  assert.equal(pauseAfter(1, 30_000), 30_000);
  assert.equal(pauseAfter(1, HOUR), 600_000);
});
