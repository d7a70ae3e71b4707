import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AfterCollection, trend } from '../../../bench/soak/memory.ts';

const HOUR = 3_600;
const HALF_AN_HOUR = HOUR / 2;
const EVERY = 50;

type Course = (at: number) => number;
const level: Course = () => 0;
const leak =
  (MiB: number): Course =>
  (at) =>
    (MiB * at) / HOUR;

/** Collections of half an hour: 25 MiB in the heap, 100 MiB outside, a hash of 19 MiB in every fourth, and this course. */
const collections = (heap: Course, beside: Course = level): AfterCollection[] =>
  Array.from({ length: HALF_AN_HOUR / EVERY }, (_, number) => {
    const at = number * EVERY;
    return { at, heap: 25 + (number % 3) / 2 + heap(at), beside: 100 + (number % 4 ? 0 : 19) + beside(at) };
  });

const isFlat = (heap: Course, beside?: Course) => trend(collections(heap, beside), HALF_AN_HOUR)?.flat;

test('constant memory is flat, and a leak in the heap or outside it is not', () => {
  assert.equal(isFlat(level), true);
  for (const MiB of [10, 75]) {
    assert.equal(isFlat(leak(MiB)), false, `${MiB} MiB/h in the heap`);
    assert.equal(isFlat(level, leak(MiB)), false, `${MiB} MiB/h beside it`);
  }
});

test('shrinking memory in one place does not excuse a leak in the other', () => {
  assert.equal(isFlat(leak(10), leak(-75)), false);
  assert.equal(isFlat(leak(-75), leak(10)), false);
});

test('memory that warms up, takes one step or shrinks is flat', () => {
  const steps: Course[] = [
    (at) => 60 * (1 - Math.exp(-at / 120)),
    (at) => (at < 650 ? 0 : 27),
    (at) => (-75 * at) / HOUR,
  ];
  for (const step of steps) {
    assert.equal(isFlat(step), true);
    assert.equal(isFlat(level, step), true);
  }
});

test('a leak is given for an hour and for the watched time', () => {
  const found = trend(collections(leak(75), leak(30)), HALF_AN_HOUR);
  assert.deepEqual([found?.heap.slope, found?.heap.MiB].map(Math.round as never), [75, 25]);
  assert.deepEqual([found?.beside.slope, found?.beside.MiB].map(Math.round as never), [30, 10]);
});

test('too few collections give no result', () => {
  assert.equal(trend(collections(level).slice(0, -13), HALF_AN_HOUR), undefined);
  assert.notEqual(trend(collections(level).slice(0, -12), HALF_AN_HOUR), undefined);
});
