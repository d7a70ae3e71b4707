import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CircuitBreaker } from '../../../src/capabilities/ldap/servers.ts';

/** A breaker that opens after two failures for 100 ms, with a clock that the test sets. */
function breaker() {
  let now = 1_000;
  const made = new CircuitBreaker({ failures: 2, openFor: 100 }, () => now);
  const wait = (by: number) => {
    now += by;
  };
  return { made, wait };
}

test('a breaker opens after failures in a row, and a success between them counts', () => {
  const { made } = breaker();
  for (const outcome of ['failed', 'succeeded', 'failed'] as const) {
    assert.equal(made.tryAcquire(), true);
    made[outcome]();
  }
  assert.equal(made.tryAcquire(), true);
  made.failed();
  assert.equal(made.tryAcquire(), false);
});

test('after a while it lets one call through as a trial, whose outcome decides', () => {
  const { made, wait } = breaker();
  for (const _ of [1, 2]) made.failed();
  wait(99);
  assert.equal(made.tryAcquire(), false);
  wait(1);
  assert.equal(made.tryAcquire(), true);
  assert.equal(made.tryAcquire(), false);
  made.failed();
  assert.equal(made.tryAcquire(), false);
  wait(100);
  assert.equal(made.tryAcquire(), true);
  made.succeeded();
  for (const _ of [1, 2, 3]) assert.equal(made.tryAcquire(), true);
});
