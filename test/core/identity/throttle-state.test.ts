import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusedUnhashed, rulesFor, type ThrottleState } from '../../../src/core/identity/throttle-state.ts';
import type { CounterKeys } from '../../../src/core/storage/store.ts';

const NOW = 1_700_000_000_000;
const RULES = rulesFor({ throttleAfter: 5, lockoutThreshold: 100, lockoutDuration: 60_000 });

/** The state of a name that no user has, with one counter that waits until this time. */
function waiting(which: keyof CounterKeys, waitUntil: number): ThrottleState {
  const none = undefined;
  const others = { name: none, pair: none, subscriber: none, site: none, address: none };
  const counter = { failures: 1_000, since: NOW, lastFailureAt: NOW, waitUntil };
  const counters = { ...others, [which]: counter };
  const stored = { user: undefined, counters, familiarSince: undefined };
  return { ...stored, now: NOW, stored };
}

test('each wait and each lock-out holds to its last millisecond, and no longer', () => {
  const reasons = {
    pair: 'waiting',
    address: 'address-waiting',
    name: 'locked',
    subscriber: 'network-waiting',
    site: 'network-waiting',
  } as const;
  for (const [which, reason] of Object.entries(reasons) as [keyof CounterKeys, string][]) {
    assert.deepEqual(refusedUnhashed(waiting(which, NOW + 1), RULES), { reason, wait: 1 });
    assert.equal(refusedUnhashed(waiting(which, NOW), RULES), undefined, which);
  }
});
