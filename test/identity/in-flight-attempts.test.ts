import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { LONGEST_WAIT } from '../../src/domain/lockout.ts';
import { QueueTimeout } from '../../src/identity/concurrency-limiter.ts';
import { InFlightAttempts } from '../../src/identity/in-flight-attempts.ts';

const ANN = 'a11';
const BEN = 'be4';
/** Who is held. */
const HERE = { key: 'ann', address: '192.0.2.1' };
const under = (key: string, most: number) => [{ key, most }];

/** Whether a promise is settled once all that is due has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.finally(() => {
    settled = true;
  });
  await turn();
  return settled;
}

test('as many tries are let through as there is room, and one more for each that is settled', () => {
  const tries = new InFlightAttempts();
  assert.deepEqual(
    [1, 2, 3].map(() => tries.tryAcquire(under(ANN, 2))),
    [undefined, undefined, ANN],
  );
  tries.release([ANN]);
  assert.deepEqual(
    [1, 2].map(() => tries.tryAcquire(under(ANN, 2))),
    [undefined, ANN],
  );
});

test('room is looked at anew each time: it shrinks when a failure has been counted', () => {
  const tries = new InFlightAttempts();
  tries.tryAcquire(under(ANN, 3));
  tries.tryAcquire(under(ANN, 3));
  tries.release([ANN]);
  assert.equal(tries.tryAcquire(under(ANN, 1)), ANN);
});

test('a try takes a place under every key or under none, and is told which has no room', () => {
  const tries = new InFlightAttempts();
  tries.tryAcquire(under(ANN, 1));
  assert.equal(tries.tryAcquire([...under(BEN, 1), ...under(ANN, 1)]), ANN);
  assert.equal(tries.tryAcquire(under(BEN, 1)), undefined);
});

test('a settled try makes old what was read under its keys, and nothing else', () => {
  const tries = new InFlightAttempts();
  const before = [ANN, BEN].map((key) => tries.endedUnder([key]));
  tries.tryAcquire(under(ANN, 1));
  tries.release([ANN]);
  const [ann, ben] = [ANN, BEN].map((key) => tries.endedUnder([key]));
  assert.notEqual(ann, before[0]);
  assert.equal(ben, before[1]);
});

test('of those that are held the first goes on when a try under its key is settled, and no other', async () => {
  const tries = new InFlightAttempts();
  tries.tryAcquire([...under(ANN, 1), ...under(BEN, 1)]);
  const [first, second] = [tries.wait(ANN, HERE, 60_000), tries.wait(ANN, HERE, 60_000)];
  tries.release([BEN]);
  assert.equal(await isSettled(first), false);
  tries.release([ANN]);
  assert.deepEqual([await isSettled(first), await isSettled(second)], [true, false]);
  tries.notify(ANN);
  await second;
  tries.notify(ANN);
});

test('whoever is held past the deadline is told that too many wait, and is woken no more', async () => {
  const tries = new InFlightAttempts();
  tries.tryAcquire(under(ANN, 1));
  const held = tries.wait(ANN, HERE, 60_000);
  await assert.rejects(tries.wait(ANN, HERE, 5), QueueTimeout);
  tries.release([ANN]);
  await held;
  assert.equal(tries.tryAcquire(under(ANN, 1)), undefined);
});

test('a failure that could not be written has a place beyond the room, and is settled after 15 minutes', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const tries = new InFlightAttempts();
  tries.tryAcquire(under(ANN, 1));
  tries.retain([ANN]);
  tries.release([ANN]);
  t.mock.timers.tick(15 * 60_000 - 1);
  assert.throws(() => tries.tryAcquire(under(ANN, 1)), QueueTimeout);
  const before = tries.endedUnder([ANN]);
  t.mock.timers.tick(1);
  assert.equal(tries.tryAcquire(under(ANN, 1)), undefined);
  assert.notEqual(tries.endedUnder([ANN]), before);
});

test('ten thousand failures that could not be written are kept at most, and the oldest go first', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const tries = new InFlightAttempts();
  tries.retain([ANN]);
  tries.retain([BEN]);
  const others = Array.from({ length: 9_998 }, (_, index) => `c0${index}`);
  for (const other of others) tries.retain([other]);
  assert.throws(() => tries.tryAcquire(under(ANN, 1)), QueueTimeout);
  tries.retain(['d00']);
  assert.equal(tries.tryAcquire(under(ANN, 1)), undefined);
  assert.throws(() => tries.tryAcquire(under(BEN, 1)), QueueTimeout);
});

test('beside a failure that could not be written, the next one is held for the one that is under way', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const tries = new InFlightAttempts();
  tries.retain([ANN]);
  assert.equal(tries.tryAcquire(under(ANN, 2)), undefined);
  assert.equal(tries.tryAcquire(under(ANN, 2)), ANN);
  tries.release([ANN]);
  assert.equal(tries.tryAcquire(under(ANN, 2)), undefined);
});

test('places that are given back without having been taken make no room', () => {
  const tries = new InFlightAttempts();
  tries.release([ANN]);
  assert.equal(tries.tryAcquire(under(ANN, 1)), undefined);
  assert.equal(tries.tryAcquire(under(ANN, 1)), ANN);
});

/** Somebody of a name, an address and a network of their own. */
const stranger = (number: number) => ({
  key: `name-${number}`,
  address: `10.${number >> 8}.${number & 255}.1`,
});

test('a thousand are held at most', async () => {
  const tries = new InFlightAttempts();
  tries.tryAcquire(under(ANN, 1));
  const held = Array.from({ length: 1_000 }, (_, number) => tries.wait(ANN, stranger(number), 60_000));
  await assert.rejects(tries.wait(BEN, HERE, 60_000), QueueTimeout);
  for (const one of held) {
    tries.notify(ANN);
    await one;
  }
  const again = tries.wait(BEN, HERE, 60_000);
  tries.notify(BEN);
  await again;
});

test('one address does not fill the place of those that are held', async () => {
  const tries = new InFlightAttempts();
  const refused: unknown[] = [];
  for (let number = 0; number < 1_000; number += 1)
    tries.wait(ANN, { ...HERE, key: `name-${number}` }, 60_000).catch((error) => refused.push(error));
  await turn();
  assert.ok(refused.length > 800, `${refused.length} are refused`);
  const elsewhere = tries.wait(ANN, stranger(0), 60_000);
  for (const _ of [1, 2]) tries.notify(ANN);
  await elsewhere;
});

test('networks take turns among those that are held, and within a network its addresses', async () => {
  const tries = new InFlightAttempts();
  const order: string[] = [];
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '198.51.100.1'])
    void tries.wait(ANN, { key: 'ann', address }, 60_000).then(() => order.push(address));
  for (let woken = 0; woken < 4; woken += 1) tries.notify(ANN);
  await turn();
  assert.deepEqual(order, ['192.0.2.1', '198.51.100.1', '192.0.2.2', '192.0.2.1']);
});

test('an unwritten failure whose place was given back holds nobody off for good', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const tries = new InFlightAttempts();
  tries.retain([ANN]);
  assert.throws(() => tries.tryAcquire(under(ANN, 1)), QueueTimeout);
  t.mock.timers.tick(LONGEST_WAIT);
  assert.equal(tries.tryAcquire(under(ANN, 1)), undefined);
  assert.equal(tries.tryAcquire(under(ANN, 1)), ANN);
});
