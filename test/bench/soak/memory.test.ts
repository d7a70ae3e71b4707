import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Sample, trend } from '../../../bench/soak/memory.ts';

const HOUR = 3_600;

/** Half an hour of samples, one a second. */
const halfAnHour = (memory: (at: number) => number): Sample[] =>
  Array.from({ length: HOUR / 2 }, (_, at) => ({ at, MiB: memory(at) }));

/** What garbage collections make of memory: it climbs by 45 MiB and falls back, every so many seconds. */
const sawtooth = (at: number, seconds: number) => 45 * ((at % seconds) / seconds);

/** Whether memory is flat that is 150 MiB, swings by a sawtooth and does this beside. */
const isFlat = (seconds: number, beside: (at: number) => number) =>
  trend(halfAnHour((at) => 150 + sawtooth(at, seconds) + beside(at))).flat;

for (const seconds of [1, 20, 47, 97]) {
  test(`memory that climbs and falls back every ${seconds} s is flat, and with a leak below it is not`, () => {
    assert.ok(isFlat(seconds, () => 0));
    for (const leak of [10, 75]) assert.ok(!isFlat(seconds, (at) => (leak * at) / HOUR), `${leak} MiB/h`);
  });
}

test('memory is flat that warms up and levels off, takes a step and keeps it, or shrinks', () => {
  assert.ok(isFlat(47, (at) => 60 * (1 - Math.exp(-at / 180))));
  assert.ok(isFlat(47, (at) => (at < 750 ? 0 : 27)));
  assert.ok(isFlat(47, (at) => (-75 * at) / HOUR));
});

test('a leak is told by what it takes in an hour and took while it was watched', () => {
  const { slope, growth } = trend(halfAnHour((at) => 150 + sawtooth(at, 20) + (75 * at) / HOUR));
  assert.equal(Math.round(slope), 75);
  assert.equal(Math.round(growth), 25);
});

test('of too few samples nothing is said', () => {
  assert.throws(() => trend(halfAnHour(() => 1).slice(0, 20)), { message: /too few samples/ });
});
