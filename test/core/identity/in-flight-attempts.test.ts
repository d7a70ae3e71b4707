import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { LONGEST_WAIT } from '../../../src/core/domain/lockout.ts';
import { QueueTimeout } from '../../../src/core/identity/concurrency-limiter.ts';
import { InFlightAttempts } from '../../../src/core/identity/in-flight-attempts.ts';

const ANN = 'a11';
const BEN = 'be4';
/** The login that waits. */
const HERE = { key: 'ann', address: '192.0.2.1' };
const under = (key: string, most: number) => [{ key, most }];

/** Whether a promise is settled after the pending callbacks have run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.finally(() => {
    settled = true;
  });
  await turn();
  return settled;
}

test('as many attempts start as there are slots, and one more for each that ends', () => {
  const attempts = new InFlightAttempts();
  assert.deepEqual(
    [1, 2, 3].map(() => attempts.tryAcquire(under(ANN, 2))),
    [undefined, undefined, ANN],
  );
  attempts.release([ANN]);
  assert.deepEqual(
    [1, 2].map(() => attempts.tryAcquire(under(ANN, 2))),
    [undefined, ANN],
  );
});

test('the limit of the latest attempt holds: it is lower once a failure has been counted', () => {
  const attempts = new InFlightAttempts();
  attempts.tryAcquire(under(ANN, 3));
  attempts.tryAcquire(under(ANN, 3));
  attempts.release([ANN]);
  assert.equal(attempts.tryAcquire(under(ANN, 1)), ANN);
});

test('an attempt takes a slot under every key or under none, and gets the key that is full', () => {
  const attempts = new InFlightAttempts();
  attempts.tryAcquire(under(ANN, 1));
  assert.equal(attempts.tryAcquire([...under(BEN, 1), ...under(ANN, 1)]), ANN);
  assert.equal(attempts.tryAcquire(under(BEN, 1)), undefined);
});

test('an attempt that ends makes stale what was read under its keys, and nothing else', () => {
  const attempts = new InFlightAttempts();
  const before = [ANN, BEN].map((key) => attempts.endedUnder([key]));
  attempts.tryAcquire(under(ANN, 1));
  attempts.release([ANN]);
  const [ann, ben] = [ANN, BEN].map((key) => attempts.endedUnder([key]));
  assert.notEqual(ann, before[0]);
  assert.equal(ben, before[1]);
});

test('when an attempt ends, the first one that waits under its key continues, and no other', async () => {
  const attempts = new InFlightAttempts();
  attempts.tryAcquire([...under(ANN, 1), ...under(BEN, 1)]);
  const [first, second] = [attempts.wait(ANN, HERE, 60_000), attempts.wait(ANN, HERE, 60_000)];
  attempts.release([BEN]);
  assert.equal(await isSettled(first), false);
  attempts.release([ANN]);
  assert.deepEqual([await isSettled(first), await isSettled(second)], [true, false]);
  attempts.notify(ANN);
  await second;
  attempts.notify(ANN);
});

test('an attempt that waits past the deadline is rejected, and is not continued later', async () => {
  const attempts = new InFlightAttempts();
  attempts.tryAcquire(under(ANN, 1));
  const waiting = attempts.wait(ANN, HERE, 60_000);
  await assert.rejects(attempts.wait(ANN, HERE, 5), QueueTimeout);
  attempts.release([ANN]);
  await waiting;
  assert.equal(attempts.tryAcquire(under(ANN, 1)), undefined);
});

test('a failure that could not be written takes a slot beyond the limit, and frees it after 15 minutes', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const attempts = new InFlightAttempts();
  attempts.tryAcquire(under(ANN, 1));
  attempts.retain([ANN]);
  attempts.release([ANN]);
  t.mock.timers.tick(15 * 60_000 - 1);
  assert.throws(() => attempts.tryAcquire(under(ANN, 1)), QueueTimeout);
  const before = attempts.endedUnder([ANN]);
  t.mock.timers.tick(1);
  assert.equal(attempts.tryAcquire(under(ANN, 1)), undefined);
  assert.notEqual(attempts.endedUnder([ANN]), before);
});

test('at most ten thousand unwritten failures stay, and the oldest go first', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const attempts = new InFlightAttempts();
  attempts.retain([ANN]);
  attempts.retain([BEN]);
  const others = Array.from({ length: 9_998 }, (_, index) => `c0${index}`);
  for (const other of others) attempts.retain([other]);
  assert.throws(() => attempts.tryAcquire(under(ANN, 1)), QueueTimeout);
  attempts.retain(['d00']);
  assert.equal(attempts.tryAcquire(under(ANN, 1)), undefined);
  assert.throws(() => attempts.tryAcquire(under(BEN, 1)), QueueTimeout);
});

test('beside an unwritten failure, the next attempt waits for the one in flight', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const attempts = new InFlightAttempts();
  attempts.retain([ANN]);
  assert.equal(attempts.tryAcquire(under(ANN, 2)), undefined);
  assert.equal(attempts.tryAcquire(under(ANN, 2)), ANN);
  attempts.release([ANN]);
  assert.equal(attempts.tryAcquire(under(ANN, 2)), undefined);
});

test('slots that are freed without having been taken do not raise the limit', () => {
  const attempts = new InFlightAttempts();
  attempts.release([ANN]);
  assert.equal(attempts.tryAcquire(under(ANN, 1)), undefined);
  assert.equal(attempts.tryAcquire(under(ANN, 1)), ANN);
});

/** A login of its own name, address and network. */
const stranger = (number: number) => ({
  key: `name-${number}`,
  address: `10.${number >> 8}.${number & 255}.1`,
});

test('at most a thousand attempts wait', async () => {
  const attempts = new InFlightAttempts();
  attempts.tryAcquire(under(ANN, 1));
  const waiting = Array.from({ length: 1_000 }, (_, number) => attempts.wait(ANN, stranger(number), 60_000));
  await assert.rejects(attempts.wait(BEN, HERE, 60_000), QueueTimeout);
  for (const one of waiting) {
    attempts.notify(ANN);
    await one;
  }
  const again = attempts.wait(BEN, HERE, 60_000);
  attempts.notify(BEN);
  await again;
});

test('one address cannot fill the waiting room', async () => {
  const attempts = new InFlightAttempts();
  const refused: unknown[] = [];
  for (let number = 0; number < 1_000; number += 1)
    attempts.wait(ANN, { ...HERE, key: `name-${number}` }, 60_000).catch((error) => refused.push(error));
  await turn();
  assert.ok(refused.length > 800, `${refused.length} are refused`);
  const elsewhere = attempts.wait(ANN, stranger(0), 60_000);
  for (const _ of [1, 2]) attempts.notify(ANN);
  await elsewhere;
  // The others would keep this process until their deadline.
  for (let number = 0; number < 1_000; number += 1) attempts.notify(ANN);
});

test('waiting attempts take turns by network, and within a network by address', async () => {
  const attempts = new InFlightAttempts();
  const order: string[] = [];
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '198.51.100.1'])
    void attempts.wait(ANN, { key: 'ann', address }, 60_000).then(() => order.push(address));
  for (let woken = 0; woken < 4; woken += 1) attempts.notify(ANN);
  await turn();
  assert.deepEqual(order, ['192.0.2.1', '198.51.100.1', '192.0.2.2', '192.0.2.1']);
});

test('an unwritten failure that has freed its slot does not stop others for ever', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const attempts = new InFlightAttempts();
  attempts.retain([ANN]);
  assert.throws(() => attempts.tryAcquire(under(ANN, 1)), QueueTimeout);
  t.mock.timers.tick(LONGEST_WAIT);
  assert.equal(attempts.tryAcquire(under(ANN, 1)), undefined);
  assert.equal(attempts.tryAcquire(under(ANN, 1)), ANN);
});
