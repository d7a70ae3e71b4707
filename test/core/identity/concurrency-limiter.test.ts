import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { QueueTimeout } from '../../../src/core/identity/concurrency-limiter.ts';
import { answered, worksInOrder } from './works.ts';

test('a limited amount of work runs at a time, and the rest waits in the order of arrival', async () => {
  const works = worksInOrder();
  const results = [0, 1, 2, 3, 4].map((number) => works.ask(number));
  await turn();
  assert.deepEqual(works.begun, [0, 1]);
  assert.equal(works.limiter.waiting, 3);
  await works.end(1);
  assert.deepEqual(works.begun, [0, 1, 2]);
  await works.end(0);
  await works.end(2);
  assert.deepEqual(works.begun, [0, 1, 2, 3, 4]);
  assert.equal(works.limiter.waiting, 0);
  await works.end(4);
  await works.end(3);
  assert.deepEqual(await Promise.all(results), [0, 1, 2, 3, 4]);
});

test('a place that becomes free is used at once, and there are never more places', async () => {
  const works = worksInOrder();
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

test('work that fails rejects with its fault, and frees its place', async () => {
  const works = worksInOrder({ atOnce: 1 });
  const failing = assert.rejects(works.ask(0), /work 0 failed/);
  const next = works.ask(1);
  await turn();
  await works.fail(0);
  await failing;
  assert.deepEqual(works.begun, [0, 1]);
  await works.end(1);
  assert.equal(await next, 1);
});

test('work that throws at once frees its place too', async () => {
  const { limiter } = worksInOrder({ atOnce: 1 });
  const thrown = () => {
    throw new Error('at once');
  };
  await assert.rejects(limiter.run(thrown), /at once/);
  assert.equal(await limiter.run(async () => 'next'), 'next');
});

test('work without a turn before the deadline is rejected, and does not run later', async () => {
  const works = worksInOrder({ atOnce: 1, deadline: 10 });
  const first = works.ask(0);
  await assert.rejects(works.ask(1), QueueTimeout);
  assert.equal(works.limiter.waiting, 0);
  await works.end(0);
  assert.equal(await first, 0);
  assert.deepEqual(works.begun, [0]);
});

test('the deadline does not limit how long work runs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const works = worksInOrder({ atOnce: 1, deadline: 10 });
  const first = works.ask(0);
  const second = works.ask(1);
  await works.end(0);
  t.mock.timers.tick(60_000);
  await works.end(1);
  assert.deepEqual(await Promise.all([first, second]), [0, 1]);
});

test('a full queue rejects further work', async () => {
  const works = worksInOrder({ atOnce: 1, queue: 2 });
  const results = [0, 1, 2].map((number) => works.ask(number));
  await assert.rejects(works.ask(3), new QueueTimeout('the queue is full'));
  for (const number of [0, 1, 2]) await works.end(number);
  assert.deepEqual(await Promise.all(results), [0, 1, 2]);
  const later = works.ask(4);
  await works.end(4);
  assert.equal(await later, 4);
});

test('results are returned as they come, however much work waits', async () => {
  const works = worksInOrder({ atOnce: 1 });
  const given = answered([0, 1, 2].map((number) => works.ask(number)));
  for (const number of [0, 1, 2]) {
    await works.end(number);
    assert.equal(given.at(-1), number);
  }
});
