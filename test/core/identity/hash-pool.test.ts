import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { HashPool, hashPoolFor } from '../../../src/core/identity/hash-queue.ts';
import { answered, Works } from './works.ts';

/** The owners of waiting hashes: many in one network. */
const ownerOf = (number: number) => ({ key: `user-${number}`, address: '192.0.2.1', familiar: false });
/** Hashes that end when the test ends them. */
const hashing = (atOnce = 2) => new Works(new HashPool({ atOnce, deadline: 60_000 }));

test('while hashes wait for their turn, results are returned eight at a time', async () => {
  const works = hashing();
  const numbers = Array.from({ length: 16 }, (_, number) => number);
  const given = answered(numbers.map((number) => works.ask(number, ownerOf(number))));
  await turn();
  for (const number of numbers.slice(0, 7)) await works.end(number);
  assert.deepEqual([given, works.begun], [[], numbers.slice(0, 9)], 'a result that is kept keeps no place');
  await works.end(7);
  assert.deepEqual(given, numbers.slice(0, 8));
  for (const number of numbers.slice(8)) await works.end(number);
  assert.deepEqual(given, numbers);
});

test('once no hash waits, results are returned as they come, together with those that waited', async () => {
  const works = hashing();
  const given = answered([0, 1, 2, 3].map((number) => works.ask(number, ownerOf(number))));
  await turn();
  await works.end(0);
  assert.deepEqual(given, []);
  await works.end(1);
  assert.deepEqual(given, [0, 1]);
  await works.end(2);
  assert.deepEqual(given, [0, 1, 2]);
  await works.end(3);
});

test('a result waits for others only a moment', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const works = hashing(1);
  const given = answered([0, 1, 2].map((number) => works.ask(number, ownerOf(number))));
  await works.end(0);
  t.mock.timers.tick(99);
  await turn();
  assert.deepEqual(given, []);
  t.mock.timers.tick(1);
  await turn();
  assert.deepEqual(given, [0]);
  for (const number of [1, 2]) await works.end(number);
  assert.deepEqual(given, [0, 1, 2]);
});

test('a fault waits together with results', async () => {
  const works = hashing(1);
  const failing = works.ask(0, ownerOf(0)).catch(() => -1);
  const given = answered([failing, works.ask(1, ownerOf(1)), works.ask(2, ownerOf(2))]);
  await turn();
  await works.fail(0);
  assert.deepEqual(given, []);
  await works.end(1);
  assert.deepEqual(given.toSorted(), [-1, 1]);
  await works.end(2);
});

/** How many hashes a pool runs at a time. */
async function handedOver(pool: HashPool): Promise<number> {
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    running -= 1;
  };
  await Promise.all(
    Array.from({ length: 4 * availableParallelism() }, (_, number) => pool.run(work, ownerOf(number))),
  );
  return most;
}

test('with more threads than cores, the pool runs one hash per core', async () => {
  const cores = availableParallelism();
  assert.equal(await handedOver(hashPoolFor(60_000, 1, cores + 1)), cores);
  assert.equal(await handedOver(hashPoolFor(60_000, cores, cores + 1)), 1);
  assert.equal(await handedOver(hashPoolFor(60_000, cores + 1, cores + 1)), 1);
});

test('with no more threads than cores, the pool runs two hashes per thread', async () => {
  const cores = availableParallelism();
  assert.equal(await handedOver(hashPoolFor(60_000, 1, cores)), 2 * cores);
  assert.equal(await handedOver(hashPoolFor(60_000, 1, 1)), 2);
  assert.equal(await handedOver(hashPoolFor(60_000, cores, 1)), 2);
});

test('with an unknown number of threads, the pool runs one hash per core', async () => {
  const cores = availableParallelism();
  for (const threads of [undefined, Number.NaN, 0, -1, -cores])
    assert.equal(await handedOver(hashPoolFor(60_000, 1, threads)), cores, String(threads));
});

test('a result does not wait for others if no other hash of its address waits', async () => {
  const works = hashing(1);
  const elsewhere = { key: 'ann', address: '198.51.100.7', familiar: false };
  const given = answered([
    works.ask(0, ownerOf(0)),
    works.ask(1, elsewhere),
    works.ask(2, ownerOf(2)),
    works.ask(3, ownerOf(3)),
  ]);
  await turn();
  await works.end(0);
  assert.deepEqual(given, []);
  const [second, third] = works.begun.slice(1);
  assert.deepEqual([second, third], [1, undefined]);
  await works.end(1);
  assert.deepEqual(given, [0, 1], 'the one that was kept goes with it');
  for (const number of [2, 3]) await works.end(number);
});
