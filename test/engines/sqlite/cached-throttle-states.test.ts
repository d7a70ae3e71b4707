import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Store, StoredThrottleState, WriteUnit } from '../../../src/core/storage/store.ts';
import {
  aCounter,
  addUser,
  aKey,
  aTicket,
  aUser,
  issue,
  NOW,
  shown,
} from '../../core/storage/conformance/samples.ts';
import { CHANGES, throttleState } from '../../core/storage/conformance/throttle-state-in-one-look.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openUntilEnd } from './folder.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function twoStores(t: TestContext) {
  const folder = await temporaryFolder(t);
  const stores = [openUntilEnd(t, folder), openUntilEnd(t, folder)] as const;
  await addUser(stores[0], 'ada');
  return stores;
}

test('a known throttle state is read again once another process has changed it', async (t) => {
  const [one, other] = await twoStores(t);
  let known = await one.read((unit) => throttleState(unit));
  for (const [what, change] of CHANGES) {
    await other.write(change);
    const again = await one.read((unit) => throttleState(unit, known));
    assert.notDeepEqual(shown(again), shown(known), what);
    assert.deepEqual(shown(again), shown(await other.read((unit) => throttleState(unit))), what);
    known = again;
  }
});

test('a known throttle state is returned itself while other states are changed', async (t) => {
  const [store] = await twoStores(t);
  const known = await store.read((unit) => throttleState(unit));
  const again = () => store.read((unit) => throttleState(unit, known));
  assert.equal(await again(), known);
  await issue(store, aTicket(1, { id: 1, generation: 0 }));
  assert.equal(await again(), known);
  await store.write(async ({ attempts, users }) => {
    await attempts.put(aKey('ben'), aKey('ben'), aCounter());
    await users.add(aUser('ben'));
  });
  assert.equal(await again(), known);
});

test('a known throttle state is returned itself after a sweep that removed no address', async (t) => {
  const [store] = await twoStores(t);
  await store.write((unit) => unit.attempts.setFamiliar(1, '192.0.2.1', NOW));
  const known = await store.read((unit) => throttleState(unit));
  const again = () => store.read((unit) => throttleState(unit, known));
  await store.write((unit) => unit.attempts.sweepFamiliar(NOW, 10));
  assert.equal(await again(), known);
  await store.write((unit) => unit.attempts.sweepFamiliar(NOW + 1, 10));
  assert.equal((await again()).familiarSince, undefined);
});

/** Has the store cache a throttle state, and keeps no reference to it. */
async function keptBy(store: Store): Promise<WeakRef<StoredThrottleState>> {
  return new WeakRef(await store.read((unit) => throttleState(unit)));
}

function isThere(kept: WeakRef<StoredThrottleState>): boolean {
  collectGarbage();
  return kept.deref() !== undefined;
}

const CHANGES_OF_ALL: Record<string, (unit: WriteUnit) => Promise<unknown>> = {
  'the counters of a name are removed': ({ attempts }) => attempts.removeOfName(aKey('ben')),
  'counters are trimmed': ({ attempts }) => attempts.trim(0, NOW),
  'a sweep forgets an address': ({ attempts }) => attempts.sweepFamiliar(NOW + 1, 10),
};
for (const [what, change] of Object.entries(CHANGES_OF_ALL)) {
  test(`outdated throttle states are freed: ${what}`, async (t) => {
    const [store] = await twoStores(t);
    await store.write((unit) => unit.attempts.setFamiliar(1, '192.0.2.1', NOW));
    const kept = await keptBy(store);
    await issue(store, aTicket(1, { id: 1, generation: 0 }));
    assert.equal(isThere(kept), true);
    await store.write(change);
    // The target of a WeakRef that was read stays for the rest of the turn.
    await new Promise(setImmediate);
    assert.equal(isThere(kept), false);
  });
}
