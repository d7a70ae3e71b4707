import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { ReadUnit } from '../../../../src/core/storage/store.ts';
import { ChangedStore } from '../../gate/changed-store.ts';
import { Checking, outcomeOf, RIGHT } from '../checking.ts';

const DEADLINE = 5_000;
const GIVEN_UP = /^hash_queue_full 2 held behind|^hash_queue_full held behind/;

/** A store whose reads can wait for the test. */
class ParkedReads extends ChangedStore {
  readonly #parked: (() => void)[] = [];
  parks = false;

  get waiting(): number {
    return this.#parked.length;
  }

  override async read<T>(work: (unit: ReadUnit) => Promise<T>): Promise<T> {
    if (this.parks) await new Promise<void>((resolve) => void this.#parked.push(resolve));
    return super.read(work);
  }

  /** Continues the waiting read at this index. */
  async letGo(place: number): Promise<void> {
    this.#parked.splice(place, 1)[0]?.();
    await settled();
  }
}

/** A check that lets one attempt at a time go on for a name at an address, with a clock that the test moves. */
async function oneAtATime(t: TestContext) {
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const store = new ParkedReads();
  const ends: (() => void)[] = [];
  const beforeVerdict = () => new Promise<void>((resolve) => void ends.push(resolve));
  const checking = new Checking({ store, throttleAfter: 1, deadline: DEADLINE, beforeVerdict });
  await checking.add('ann');
  /** Starts an attempt; returns a function for its outcome so far, undefined while it waits. */
  const begin = async () => {
    const tried = { outcome: '' };
    void checking.login('ann', RIGHT).then((result) => {
      tried.outcome = outcomeOf(result);
    });
    await settled();
    return tried;
  };
  return {
    store,
    begin,
    /** Lets time pass without running timers, as on a machine that is too busy. */
    lag(milliseconds: number) {
      now += milliseconds;
    },
    async pass(milliseconds: number) {
      now += milliseconds;
      t.mock.timers.tick(milliseconds);
      await settled();
    },
    /** Ends the oldest running hash. */
    async endHash() {
      ends.shift()?.();
      await settled();
    },
  };
}

/** Waits until everything waits for a timer or the test. */
async function settled(): Promise<void> {
  for (let time = 0; time < 50; time += 1) await turn();
}

test('a waiting attempt is rejected at its deadline, and not before', async (t) => {
  const { begin, pass, endHash } = await oneAtATime(t);
  const first = await begin();
  await pass(2_000);
  const waiting = await begin();
  await pass(DEADLINE - 1);
  assert.equal(waiting.outcome, '');
  await pass(1);
  assert.match(waiting.outcome, GIVEN_UP);
  await endHash();
  assert.equal(first.outcome, 'ok');
});

test('a waiting attempt that could go on only after its deadline is rejected', async (t) => {
  const { begin, lag, endHash } = await oneAtATime(t);
  const first = await begin();
  const waiting = await begin();
  lag(DEADLINE + 1);
  await endHash();
  assert.equal(first.outcome, 'ok');
  assert.match(waiting.outcome, GIVEN_UP);
});

test('a waiting attempt that can go on at its deadline goes on', async (t) => {
  const { begin, lag, endHash } = await oneAtATime(t);
  await begin();
  const waiting = await begin();
  lag(DEADLINE);
  await endHash();
  assert.equal(waiting.outcome, '');
  await endHash();
  assert.equal(waiting.outcome, 'ok');
});

test('an attempt that has to wait again past its deadline does not read its counters again', async (t) => {
  const { store, begin, pass, endHash } = await oneAtATime(t);
  await begin();
  const again = await begin();
  await pass(2_000);
  const next = await begin();
  store.parks = true;
  await endHash();
  await store.letGo(0);
  // The first has ended, and the second reads its counters. A fourth reads sooner, and takes its slot.
  await begin();
  await store.letGo(1);
  await store.letGo(0);
  assert.equal(store.waiting, 1, 'the fourth alone is looked up');
  store.parks = false;
  await store.letGo(0);
  const { reads } = store;
  await pass(DEADLINE - 2_000);
  assert.match(again.outcome, GIVEN_UP);
  assert.equal(store.reads, reads);
  assert.equal(next.outcome, '');
});
