import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tries } from '../../src/identity/tries.ts';
import { HashQueueFull } from '../../src/identity/verifier.ts';

const under = (key: string, room: number) => [{ key, room }];

test('as many tries are let through as there is room, and one more for each that is settled', () => {
  const tries = new Tries();
  assert.deepEqual(
    [1, 2, 3].map(() => tries.enter(under('ann', 2))),
    [true, true, false],
  );
  tries.leave(['ann']);
  assert.deepEqual(
    [1, 2].map(() => tries.enter(under('ann', 2))),
    [true, false],
  );
});

test('room is looked at anew each time: it shrinks when a failure has been counted', () => {
  const tries = new Tries();
  tries.enter(under('ann', 3));
  tries.enter(under('ann', 3));
  tries.leave(['ann']);
  assert.equal(tries.enter(under('ann', 1)), false);
});

test('a try takes a place under every key or under none', () => {
  const tries = new Tries();
  tries.enter(under('full', 1));
  assert.equal(tries.enter([...under('free', 1), ...under('full', 1)]), false);
  assert.equal(tries.enter(under('free', 1)), true);
});

test('whoever is held goes on when any try is settled', async () => {
  const tries = new Tries();
  tries.enter(under('ann', 1));
  const { settled } = tries;
  const held = [tries.hold(60_000), tries.hold(60_000)];
  tries.leave(['ann']);
  await Promise.all(held);
  assert.equal(tries.settled, settled + 1);
});

test('whoever is held past the deadline is told that too many wait', async () => {
  const tries = new Tries();
  tries.enter(under('ann', 1));
  await assert.rejects(tries.hold(5), HashQueueFull);
  tries.leave(['ann']);
  assert.equal(tries.enter(under('ann', 1)), true);
});
