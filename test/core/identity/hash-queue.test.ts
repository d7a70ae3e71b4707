import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueueTimeout } from '../../../src/core/identity/concurrency-limiter.ts';
import { AddressQueueFull, HashQueue } from '../../../src/core/identity/hash-queue.ts';

/** A queue whose hashes have labels. */
class Labelled {
  readonly queue = new HashQueue(1_000);
  readonly #labels = new Map<() => void, string>();
  #names = 0;

  /** Adds a hash. Each has another name, unless one is given. */
  add(address: string, { label = address, key = `name-${this.#names++}`, familiar = false } = {}): void {
    const start = () => undefined;
    this.queue.add(start, { key, address, familiar });
    this.#labels.set(start, label);
  }

  /** The labels of the next hashes. */
  next(count: number): (string | undefined)[] {
    return Array.from({ length: count }, () => this.#labels.get(this.queue.next() as () => void));
  }

  /** Adds hashes until one is refused; returns how many found room. */
  fill(add: (index: number) => void): number {
    for (let index = 0; ; index++) {
      try {
        add(index);
      } catch (error) {
        assert.ok(error instanceof QueueTimeout);
        return index;
      }
    }
  }
}

const GUESSER = '203.0.113.5';

test('an address with one hash waits for one hash of each other address, however many those have', () => {
  const hashes = new Labelled();
  for (let n = 0; n < 20; n++) hashes.add(GUESSER);
  hashes.add('198.51.100.1');
  hashes.add('192.0.2.1');
  assert.deepEqual(hashes.next(4), [GUESSER, '198.51.100.1', '192.0.2.1', GUESSER]);
});

test('the addresses of one network, an IPv6 /48 or IPv4 /24, share one turn', () => {
  const hashes = new Labelled();
  for (const address of ['2001:db8:1:1::/64', '2001:db8:1:2::/64', '2001:db8:1:3::/64']) hashes.add(address);
  for (const address of ['192.0.2.1', '192.0.2.2']) hashes.add(address);
  hashes.add('2001:db8:2:1::/64');
  assert.deepEqual(hashes.next(4), [
    '2001:db8:1:1::/64',
    '192.0.2.1',
    '2001:db8:2:1::/64',
    '2001:db8:1:2::/64',
  ]);
});

test('familiar addresses come first, but one hash in four is for the others', () => {
  const hashes = new Labelled();
  for (let n = 0; n < 4; n++) hashes.add(GUESSER);
  for (let n = 0; n < 6; n++) hashes.add('192.0.2.1', { label: 'familiar', familiar: true });
  assert.deepEqual(hashes.next(8), [
    'familiar',
    'familiar',
    'familiar',
    GUESSER,
    'familiar',
    'familiar',
    'familiar',
    GUESSER,
  ]);
});

test('familiar addresses take turns by name: one account gets one turn from all its addresses', () => {
  const hashes = new Labelled();
  for (let n = 0; n < 10; n++)
    hashes.add(`203.0.${n}.1`, { label: 'mallory', key: 'mallory', familiar: true });
  hashes.add('192.0.2.1', { label: 'ann', familiar: true });
  assert.deepEqual(hashes.next(3), ['mallory', 'ann', 'mallory']);
});

test('in an empty queue at most 16 hashes of a name, 32 of an address and 114 of a network wait', () => {
  for (const familiar of [false, true]) {
    const filled = (add: (hashes: Labelled, index: number) => void) => {
      const hashes = new Labelled();
      return hashes.fill((index) => add(hashes, index));
    };
    const ofName = filled((hashes, n) => hashes.add(`203.0.${n}.1`, { key: 'ann', familiar }));
    const ofAddress = filled((hashes) => hashes.add('192.0.2.1', { familiar }));
    const ofNetwork = filled((hashes, n) => hashes.add(`2001:db8:1:${n}::/64`, { familiar }));
    assert.deepEqual([ofName, ofAddress, ofNetwork], [16, 32, 114]);
  }
});

test('a full address and a full name are different errors: only the first counts against the address', () => {
  const hashes = new Labelled();
  hashes.fill(() => hashes.add(GUESSER));
  assert.throws(() => hashes.add(GUESSER), AddressQueueFull);
  hashes.fill((n) => hashes.add(`198.51.${n}.1`, { key: 'ann' }));
  assert.throws(
    () => hashes.add('192.0.2.1', { key: 'ann' }),
    (error) => error instanceof QueueTimeout && !(error instanceof AddressQueueFull),
  );
});

test('however many addresses use their quota, another one finds room', () => {
  const hashes = new Labelled();
  for (let n = 0; n < 120; n++) hashes.fill(() => hashes.add(`203.${n}.113.5`));
  assert.ok(hashes.queue.size < 1_000);
  hashes.add('192.0.2.1');
  const [turn] = hashes.next(121).flatMap((label, place) => (label === '192.0.2.1' ? [place] : []));
  assert.ok(turn !== undefined, 'it waits for one round');
});

test('newcomers that fill their room take none from familiar addresses', () => {
  const hashes = new Labelled();
  assert.equal(
    hashes.fill((n) => hashes.add(`${1 + (n >> 8)}.${n & 255}.113.5`)),
    1_000,
  );
  hashes.add('192.0.2.1', { familiar: true });
  assert.deepEqual(hashes.next(1), ['192.0.2.1']);
});

test('a removed hash frees its room, and gets no turn', () => {
  const hashes = new Labelled();
  const given = () => undefined;
  const owner = { key: 'ann', address: GUESSER, familiar: false };
  hashes.queue.add(given, owner);
  assert.equal(
    hashes.fill(() => hashes.add(GUESSER)),
    31,
  );
  hashes.queue.remove(given, owner);
  hashes.queue.remove(given, owner);
  hashes.add(GUESSER);
  assert.equal(hashes.queue.size, 32);
  assert.deepEqual(hashes.next(33), [...Array(32).fill(GUESSER), undefined]);
  assert.equal(hashes.queue.size, 0);
});

test('the queue is long for an owner whose address has waiting hashes, or if very many wait', () => {
  const hashes = new Labelled();
  const [here, there] = [
    { key: 'ann', address: '192.0.2.1', familiar: false },
    { key: 'ben', address: GUESSER, familiar: false },
  ];
  hashes.add(GUESSER);
  assert.deepEqual([hashes.queue.isLongFor(here), hashes.queue.isLongFor(there)], [false, true]);
  for (let n = 0; n < 32; n++) hashes.add(`203.${n}.113.5`);
  assert.equal(hashes.queue.isLongFor(here), true);
  assert.equal(hashes.queue.isLongFor({ ...here, familiar: true }), false);
});
