import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readThrottleKey, throttleKeyPlace } from '../../../src/core/identity/throttle-key.ts';
import { counterKeys } from '../../../src/core/identity/throttle-state.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { ChangedStore } from './changed-store.ts';

const body = (password: string) => JSON.stringify({ username: 'admin', password });

/** A service with one failure counted against the administrator. */
async function afterOneFailure(t: TestContext) {
  const store = new ChangedStore();
  const service = await startTestService(t, {}, () => store);
  const logIn = async (password: string) =>
    (await fetch(`${service.url}/api/login`, { method: 'POST', body: body(password) })).status;
  assert.equal(await logIn('wrong'), 403);
  const keys = counterKeys(
    readThrottleKey(throttleKeyPlace(service.settings.throttleKeyFile, service.settings.data)),
  )('admin', '127.0.0.1');
  const kept = () =>
    store.read(async ({ attempts }) => {
      const state = await attempts.throttleState({ userKey: 'admin', address: '127.0.0.1', keys });
      const { counters, familiarSince } = state;
      return { failures: counters.name?.failures, isFamiliar: familiarSince !== undefined };
    });
  return { store, logIn, kept };
}

test('a login writes its ticket and what its success changes in one unit', async (t) => {
  const { store, logIn, kept } = await afterOneFailure(t);
  assert.deepEqual(await kept(), { failures: 1, isFamiliar: false });
  const before = store.writes;
  assert.equal(await logIn(PASSWORD), 200);
  assert.equal(store.writes - before, 1);
  assert.deepEqual(await kept(), { failures: undefined, isFamiliar: true });
});

test('a login whose ticket cannot be kept leaves the counters as they were', async (t) => {
  const { store, logIn, kept } = await afterOneFailure(t);
  store.commits = false;
  assert.equal(await logIn(PASSWORD), 503);
  assert.deepEqual(await kept(), { failures: 1, isFamiliar: false });
  store.commits = true;
  assert.equal(await logIn(PASSWORD), 200);
});
