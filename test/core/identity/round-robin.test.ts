import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RoundRobin } from '../../../src/core/identity/concurrency-limiter.ts';

/** A queue of entries. Each is written as group, subgroup and a number. */
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

test('entries of one subgroup leave in the order of arrival', () => {
  assert.deepEqual(drained(queueOf('aa1', 'aa2', 'aa3')), ['aa1', 'aa2', 'aa3']);
});

test('groups take turns, however many entries one of them has', () => {
  const queue = queueOf('aa1', 'aa2', 'aa3', 'aa4', 'ba1', 'ca1', 'ca2');
  assert.deepEqual(drained(queue), ['aa1', 'ba1', 'ca1', 'aa2', 'ca2', 'aa3', 'aa4']);
});

test('within a group its subgroups take turns, and the group gets no more turns for having several', () => {
  const queue = queueOf('aa1', 'aa2', 'ab1', 'ab2', 'ba1', 'ba2', 'ba3');
  assert.deepEqual(drained(queue), ['aa1', 'ba1', 'ab1', 'ba2', 'aa2', 'ba3', 'ab2']);
});

test('an entry that joins late waits for at most one entry of each other group', () => {
  const queue = queueOf('aa1', 'aa2', 'ba1', 'ba2');
  assert.equal(queue.next(), 'aa1');
  queue.add('c', 'a', 'ca1');
  assert.deepEqual(drained(queue), ['ba1', 'aa2', 'ca1', 'ba2']);
});

test('a removed entry does not change the turns of others, and an empty group has none', () => {
  const queue = queueOf('aa1', 'ba1', 'ba2');
  queue.remove('a', 'a', 'aa1');
  queue.remove('a', 'a', 'aa1');
  assert.equal(queue.groups, 1);
  assert.deepEqual(drained(queue), ['ba1', 'ba2']);
  assert.equal(queue.groups, 0);
});
