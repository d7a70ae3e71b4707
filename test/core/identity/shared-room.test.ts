import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedRoom } from '../../../src/core/identity/concurrency-limiter.ts';

const upTo = (most: number, ...keys: string[]) => keys.map((key) => ({ key, most }));

/** Adds entries of this key until there is no room; returns how many found room. */
function filled(room: SharedRoom, key: string, most: number): number {
  let entries = 0;
  while (!room.full && room.usedUp(upTo(most, key)) === undefined) {
    room.acquire(upTo(most, key));
    entries += 1;
  }
  return entries;
}

test('a key gets its quota of entries, and one more when one is released', () => {
  const room = new SharedRoom(1_000);
  assert.equal(filled(room, 'ann', 5), 5);
  room.release(upTo(5, 'ann'));
  assert.equal(filled(room, 'ann', 5), 1);
  assert.equal(room.of('ann'), 5);
});

test('the quota that is used up is returned', () => {
  const room = new SharedRoom(1_000);
  room.acquire(upTo(1, 'ann', 'here'));
  const there = { key: 'there', most: 1 };
  const ann = { key: 'ann', most: 1 };
  assert.equal(room.usedUp([there]), undefined);
  assert.equal(room.usedUp([there, ann]), ann);
});

test('a few keys never fill the room: the less is free, the smaller are their quotas', () => {
  const room = new SharedRoom(100);
  const taken = Array.from({ length: 20 }, (_, number) => filled(room, `key-${number}`, 10));
  assert.ok(room.size < 100, `${room.size} are taken`);
  assert.deepEqual([taken[0], taken.at(-1)], [10, 2]);
  assert.equal(room.usedUp(upTo(10, 'late')), undefined, 'a key that has nothing finds room');
});

test('a full room has room for no key', () => {
  const room = new SharedRoom(2);
  for (const key of ['ann', 'ben']) room.acquire(upTo(1, key));
  assert.equal(room.full, true);
  room.release(upTo(1, 'ben'));
  assert.deepEqual([room.full, room.of('ben'), room.size], [false, 0, 1]);
});
