import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../../../src/core/domain/event.ts';
import { type Digest, digestFrom } from '../../../src/core/domain/ticket.ts';
import { WriteBuffer } from '../../../src/core/gate/write-buffer.ts';

const REFUSED: Event = { at: 0, kind: 'login-refused', user: 'ann', from: '192.0.2.1', reason: 'waiting' };

function digestOf(number: number): Digest {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32BE(number);
  return digestFrom(bytes);
}

/** Everything that is buffered, batch after batch, as it would be written. */
function written(gathered: WriteBuffer) {
  const parts = [];
  for (let part = gathered.next(); part !== undefined; part = gathered.next()) {
    parts.push(part);
    gathered.drop(part);
  }
  const tallies = parts.flatMap((part) => part.tallies.map(([, tally]) => tally));
  return { parts, uses: parts.flatMap(({ uses }) => uses), tallies };
}

test('counts are written once each, in units of a thousand at most', () => {
  const gathered = new WriteBuffer();
  for (let number = 0; number < 2_500; number += 1) gathered.tally({ ...REFUSED, user: `ann ${number}` });
  const { parts, tallies } = written(gathered);
  assert.deepEqual(
    parts.map((part) => part.tallies.length),
    [1_000, 1_000, 500],
  );
  assert.equal(new Set(tallies.map(({ event }) => event.user)).size, 2_500);
});

test('uses are written once each, in units of a thousand at most, and counts before them', () => {
  const gathered = new WriteBuffer();
  for (let number = 0; number < 2_500; number += 1) gathered.use(digestOf(number), number);
  gathered.tally(REFUSED);
  const { parts, uses, tallies } = written(gathered);
  assert.deepEqual(
    parts.map((part) => [part.uses.length, part.tallies.length]),
    [
      [0, 1],
      [1_000, 0],
      [1_000, 0],
      [500, 0],
    ],
  );
  assert.equal(new Map(uses).size, 2_500);
  assert.equal(tallies[0]?.times, 1);
});

test('the latest use of a ticket is kept, in whatever order they come', () => {
  const [earlier, later] = [new WriteBuffer(), new WriteBuffer()];
  for (const at of [5, 9, 7]) earlier.use(digestOf(1), at);
  earlier.use(digestOf(2), 3);
  later.use(digestOf(1), 8);
  later.use(digestOf(2), 4);
  earlier.add(later);
  assert.deepEqual(
    new Map(written(earlier).uses),
    new Map([
      [digestOf(1), 9],
      [digestOf(2), 4],
    ]),
  );
});

test('uses of 100,000 tickets are kept at most: the oldest are dropped first, and a ticket that is used again stays', () => {
  const gathered = new WriteBuffer();
  for (let at = 0; at < 150_000; at += 1) {
    gathered.use(digestOf(at), at);
    if (at % 10_000 === 0) gathered.use(digestOf(0), at);
  }
  const kept = new Map(written(gathered).uses);
  assert.ok(kept.size <= 100_000 && kept.size >= 90_000, `${kept.size} uses`);
  assert.equal(kept.get(digestOf(0)), 140_000);
  assert.equal(kept.get(digestOf(149_999)), 149_999);
  assert.equal(kept.get(digestOf(1)), undefined);
  for (let at = 60_000; at < 150_000; at += 1) assert.equal(kept.get(digestOf(at)), at);
});

test('adding another buffer stays within the same limits', () => {
  const [earlier, later] = [new WriteBuffer(), new WriteBuffer()];
  for (let number = 0; number < 80_000; number += 1) {
    earlier.use(digestOf(number), 1);
    later.use(digestOf(80_000 + number), 2);
  }
  for (let number = 0; number < 8_000; number += 1) {
    earlier.tally({ ...REFUSED, user: `early ${number}` });
    later.tally({ ...REFUSED, user: `late ${number}` });
    later.tally({ ...REFUSED, user: `early ${number}` });
  }
  earlier.add(later);
  const { uses, tallies } = written(earlier);
  assert.ok(uses.length <= 100_000, `${uses.length} uses`);
  assert.equal(uses.filter(([, at]) => at === 2).length, 80_000);
  assert.equal(tallies.length, 10_001);
  assert.equal(
    tallies.reduce((sum, { times }) => sum + times, 0),
    24_000,
  );
});

test('tries are counted for each minute separately, however long they are buffered', () => {
  const gathered = new WriteBuffer();
  for (const at of [0, 59_999, 60_000, 61_000]) gathered.tally({ ...REFUSED, at });
  assert.deepEqual(
    written(gathered).tallies.map(({ event, times }) => [event.at, times]),
    [
      [0, 2],
      [60_000, 2],
    ],
  );
});
