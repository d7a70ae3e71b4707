import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from '../../tools/mutate/options.ts';
import { intervalOf, sampleOf } from '../../tools/mutate/sample.ts';

const ALL = Array.from({ length: 1_000 }, (_, start) => {
  const file = `src/${start % 7}.ts`;
  return { file, line: 1, start, end: start + 1, replacement: '', change: '' };
});

test('a seed chooses the same mutants again, and another seed chooses others', () => {
  const chosen = sampleOf(ALL, 50, 1);
  assert.equal(new Set(chosen).size, 50);
  assert.deepEqual(sampleOf(ALL.toReversed(), 50, 1), chosen);
  assert.deepEqual(sampleOf(ALL, 80, 1).slice(0, 50), chosen, 'a larger sample starts with a smaller one');
  assert.notDeepEqual(sampleOf(ALL, 50, 2), chosen);
  assert.equal(sampleOf(ALL, 2_000, 1).length, 1_000);
});

test('each mutant has the same chance to be chosen', () => {
  const times = new Map(ALL.map((mutant) => [mutant, 0]));
  for (let seed = 1; seed <= 200; seed += 1)
    for (const mutant of sampleOf(ALL, 100, seed)) times.set(mutant, (times.get(mutant) ?? 0) + 1);
  // 20 times of 200 is the mean, with a deviation of 4.2.
  for (const [{ start }, count] of times) assert.ok(count > 1 && count < 45, `${start}: ${count} times`);
});

test('the interval of a rate is that of Wilson', () => {
  const rounded = (caught: number, tried: number) => intervalOf(caught, tried).map((rate) => rate.toFixed(4));
  assert.deepEqual(rounded(81, 263), ['0.2553', '0.3662']);
  assert.deepEqual(rounded(10, 10), ['0.7225', '1.0000']);
});

test('a sample needs its size and its seed', () => {
  const { sample } = readOptions(['src/core/**/*.ts', '--sample', '400', '--seed', '7']);
  assert.deepEqual(sample, { size: 400, seed: 7 });
  assert.equal(readOptions(['src/core/api.ts']).sample, undefined);
  for (const words of [
    ['--sample', '400'],
    ['--seed', '7'],
  ])
    assert.throws(() => readOptions(['src/core/api.ts', ...words]), /--sample and --seed belong together/);
  assert.throws(
    () => readOptions(['src/core/api.ts', '--sample', '0', '--seed', '7']),
    /whole number from 1/,
  );
});
