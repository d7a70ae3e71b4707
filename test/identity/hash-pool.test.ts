import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { HashPool, hashPoolFor } from '../../src/identity/hash-pool.ts';
import { HashQueueFull } from '../../src/identity/verifier.ts';

/** A pool whose work ends when the test says so. */
class Works {
  readonly pool: HashPool;
  readonly begun: number[] = [];
  readonly #ends = new Map<number, { resolve: (value: number) => void; reject: (fault: Error) => void }>();

  constructor(limits: Partial<ConstructorParameters<typeof HashPool>[0]> = {}) {
    this.pool = new HashPool({ atOnce: 2, deadline: 60_000, queue: 100, together: 4, ...limits });
  }

  /** Asks for the work of this number. */
  ask(number: number): Promise<number> {
    return this.pool.run(() => {
      this.begun.push(number);
      return new Promise((resolve, reject) => void this.#ends.set(number, { resolve, reject }));
    });
  }

  async end(number: number): Promise<void> {
    this.#ends.get(number)?.resolve(number);
    await turn();
  }

  async fail(number: number): Promise<void> {
    this.#ends.get(number)?.reject(new Error(`work ${number} failed`));
    await turn();
  }
}

test('so many hashes run at a time, and the rest wait for their turn in the order they came', async () => {
  const works = new Works();
  const results = [0, 1, 2, 3, 4].map((number) => works.ask(number));
  await turn();
  assert.deepEqual(works.begun, [0, 1]);
  assert.equal(works.pool.waiting, 3);
  await works.end(1);
  assert.deepEqual(works.begun, [0, 1, 2]);
  await works.end(0);
  await works.end(2);
  assert.deepEqual(works.begun, [0, 1, 2, 3, 4]);
  assert.equal(works.pool.waiting, 0);
  await works.end(4);
  await works.end(3);
  assert.deepEqual(await Promise.all(results), [0, 1, 2, 3, 4]);
});

test('a place that is free again is taken at once, and there are never more of them', async () => {
  const works = new Works();
  for (const number of [0, 1, 2, 3]) {
    const result = works.ask(number);
    await turn();
    await works.end(number);
    assert.equal(await result, number);
  }
  void works.ask(4);
  void works.ask(5);
  void works.ask(6);
  await turn();
  assert.deepEqual(works.begun, [0, 1, 2, 3, 4, 5]);
  for (const number of [4, 5, 6]) await works.end(number);
});

test('a hash that fails passes its fault on, and gives its place on', async () => {
  const works = new Works({ atOnce: 1 });
  const failing = assert.rejects(works.ask(0), /work 0 failed/);
  const next = works.ask(1);
  await turn();
  await works.fail(0);
  await failing;
  assert.deepEqual(works.begun, [0, 1]);
  await works.end(1);
  assert.equal(await next, 1);
});

test('work that throws before it has begun gives its place on as well', async () => {
  const { pool } = new Works({ atOnce: 1 });
  const thrown = () => {
    throw new Error('at once');
  };
  await assert.rejects(pool.run(thrown), /at once/);
  assert.equal(await pool.run(async () => 'next'), 'next');
});

test('a hash that has no turn before the deadline is given up, and is not run later', async () => {
  const works = new Works({ atOnce: 1, deadline: 10 });
  const first = works.ask(0);
  await assert.rejects(works.ask(1), HashQueueFull);
  assert.equal(works.pool.waiting, 0);
  await works.end(0);
  assert.equal(await first, 0);
  assert.deepEqual(works.begun, [0]);
});

test('a hash that had its turn in time takes as long as it takes', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const works = new Works({ atOnce: 1, deadline: 10 });
  const first = works.ask(0);
  const second = works.ask(1);
  await works.end(0);
  t.mock.timers.tick(60_000);
  await works.end(1);
  assert.deepEqual(await Promise.all([first, second]), [0, 1]);
});

test('beyond a full queue a hash is refused at once', async () => {
  const works = new Works({ atOnce: 1, queue: 2 });
  const results = [0, 1, 2].map((number) => works.ask(number));
  await assert.rejects(works.ask(3), HashQueueFull);
  for (const number of [0, 1, 2]) await works.end(number);
  assert.deepEqual(await Promise.all(results), [0, 1, 2]);
  const later = works.ask(4);
  await works.end(4);
  assert.equal(await later, 4);
});

/** The numbers of those that were answered, in their order. */
function answered(results: readonly Promise<number>[]): number[] {
  const numbers: number[] = [];
  for (const result of results) void result.then((number) => numbers.push(number));
  return numbers;
}

test('while hashes wait for their turn, results are given four at a time', async () => {
  const works = new Works();
  const given = answered(Array.from({ length: 8 }, (_, number) => works.ask(number)));
  await turn();
  for (const number of [0, 1, 2]) await works.end(number);
  assert.deepEqual([given, works.begun], [[], [0, 1, 2, 3, 4]], 'a result that is kept keeps no place');
  await works.end(3);
  assert.deepEqual(given, [0, 1, 2, 3]);
  for (const number of [4, 5, 6, 7]) await works.end(number);
  assert.deepEqual(given, [0, 1, 2, 3, 4, 5, 6, 7]);
});

test('once nothing waits, results are given as they come, with those that were kept', async () => {
  const works = new Works();
  const given = answered([0, 1, 2, 3].map((number) => works.ask(number)));
  await turn();
  await works.end(0);
  assert.deepEqual(given, []);
  await works.end(1);
  assert.deepEqual(given, [0, 1]);
  await works.end(2);
  assert.deepEqual(given, [0, 1, 2]);
  await works.end(3);
});

test('a result that waits for others is given after a moment', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const works = new Works({ atOnce: 1 });
  const given = answered([0, 1, 2].map((number) => works.ask(number)));
  await works.end(0);
  t.mock.timers.tick(49);
  await turn();
  assert.deepEqual(given, []);
  t.mock.timers.tick(1);
  await turn();
  assert.deepEqual(given, [0]);
  for (const number of [1, 2]) await works.end(number);
  assert.deepEqual(given, [0, 1, 2]);
});

test('where results are not to wait, they are given as they come', async () => {
  const works = new Works({ atOnce: 1, together: 1 });
  const given = answered([0, 1, 2].map((number) => works.ask(number)));
  for (const number of [0, 1, 2]) {
    await works.end(number);
    assert.equal(given.at(-1), number);
  }
});

test('a fault is kept with the results beside it', async () => {
  const works = new Works({ atOnce: 1 });
  const failing = works.ask(0).catch(() => -1);
  const given = answered([failing, works.ask(1), works.ask(2)]);
  await turn();
  await works.fail(0);
  assert.deepEqual(given, []);
  await works.end(1);
  assert.deepEqual(given.toSorted(), [-1, 1]);
  await works.end(2);
});

/** How many hashes a pool hands over at a time. */
async function handedOver(pool: HashPool): Promise<number> {
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    running -= 1;
  };
  await Promise.all(Array.from({ length: 4 * availableParallelism() }, () => pool.run(work)));
  return most;
}

test('where threads are more than cores, the pool of this machine hands over one hash a core', async () => {
  const cores = availableParallelism();
  assert.equal(await handedOver(hashPoolFor(60_000, 1, cores + 1)), cores);
  assert.equal(await handedOver(hashPoolFor(60_000, cores, cores + 1)), 1);
  assert.equal(await handedOver(hashPoolFor(60_000, cores + 1, cores + 1)), 1);
});

test('where threads are no more than cores, as many hashes again wait at them', async () => {
  const cores = availableParallelism();
  assert.equal(await handedOver(hashPoolFor(60_000, 1, cores)), 2 * cores);
  assert.equal(await handedOver(hashPoolFor(60_000, 1, 1)), 2);
  assert.equal(await handedOver(hashPoolFor(60_000, cores, 1)), 2);
});

test('where nobody knows how many threads there are, one hash a core is handed over', async () => {
  const cores = availableParallelism();
  for (const threads of [undefined, Number.NaN, 0, -1, -cores])
    assert.equal(await handedOver(hashPoolFor(60_000, 1, threads)), cores, String(threads));
});
