import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadUnit, StoredThrottleState } from '../../../../src/core/storage/store.ts';
import { ChangedStore } from '../../gate/changed-store.ts';
import { Checking, outcomeOf, RIGHT } from '../checking.ts';

/** A store that records what it is asked about throttle states, and what it answers. */
class AskedForStandings extends ChangedStore {
  readonly asked: { known: StoredThrottleState | undefined; answered: StoredThrottleState }[] = [];

  override read<T>(work: (unit: ReadUnit) => Promise<T>): Promise<T> {
    return super.read((unit) => {
      const throttleState: ReadUnit['attempts']['throttleState'] = async (asked, known) => {
        const answered = await unit.attempts.throttleState(asked, known);
        this.asked.push({ known, answered });
        return answered;
      };
      return work({ ...unit, attempts: { ...unit.attempts, throttleState } });
    });
  }
}

test('the cache passes the last answer of the store back to it, so that the store needs no look-up', async () => {
  const store = new AskedForStandings();
  const checking = new Checking({ store });
  await checking.add('ann');
  assert.equal(outcomeOf(await checking.repeat('ann', RIGHT)), 'ok');
  store.asked.length = 0;
  for (let time = 0; time < 3; time += 1) assert.notEqual(await checking.fromCache('ann', RIGHT), undefined);
  const [first, second, third] = store.asked;
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  assert.equal(second.known, first.answered);
  assert.equal(third.known, second.answered);
});
