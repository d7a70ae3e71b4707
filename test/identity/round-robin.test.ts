import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RoundRobin } from '../../src/identity/concurrency-limiter.ts';

/** A queue of entries that are written as share, line and a number. */
function queueOf(...entries: string[]): RoundRobin<string> {
  const queue = new RoundRobin<string>();
  for (const entry of entries) queue.add(entry[0] as string, entry[1] as string, entry);
  return queue;
}

function drained(queue: RoundRobin<string>): string[] {
  const order: string[] = [];
  for (let entry = queue.next(); entry !== undefined; entry = queue.next()) order.push(entry);
  return order;
}

test('entries of one line leave in the order in which they came', () => {
  assert.deepEqual(drained(queueOf('aa1', 'aa2', 'aa3')), ['aa1', 'aa2', 'aa3']);
});

test('shares take turns, however many entries one of them has', () => {
  const queue = queueOf('aa1', 'aa2', 'aa3', 'aa4', 'ba1', 'ca1', 'ca2');
  assert.deepEqual(drained(queue), ['aa1', 'ba1', 'ca1', 'aa2', 'ca2', 'aa3', 'aa4']);
});

test('within a share its lines take turns, and the share gets no more turns for having several', () => {
  const queue = queueOf('aa1', 'aa2', 'ab1', 'ab2', 'ba1', 'ba2', 'ba3');
  assert.deepEqual(drained(queue), ['aa1', 'ba1', 'ab1', 'ba2', 'aa2', 'ba3', 'ab2']);
});

test('an entry that joins late waits for one entry of each other share at most', () => {
  const queue = queueOf('aa1', 'aa2', 'ba1', 'ba2');
  assert.equal(queue.next(), 'aa1');
  queue.add('c', 'a', 'ca1');
  assert.deepEqual(drained(queue), ['ba1', 'aa2', 'ca1', 'ba2']);
});

test('a removed entry leaves the turns of the others as they were, and an empty share has none', () => {
  const queue = queueOf('aa1', 'ba1', 'ba2');
  queue.remove('a', 'a', 'aa1');
  queue.remove('a', 'a', 'aa1');
  assert.equal(queue.groups, 1);
  assert.deepEqual(drained(queue), ['ba1', 'ba2']);
  assert.equal(queue.groups, 0);
});
