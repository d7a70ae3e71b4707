import assert from 'node:assert/strict';
import { test } from 'node:test';
import { throttleKeyFor } from '../../../../src/core/identity/throttle-key.ts';
import { counterKeys } from '../../../../src/core/identity/throttle-state.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';
import { asked, eventsByKeys } from './asked.ts';

const LOCKS_AT_4 = { TESSERA_THROTTLE_AFTER: '0', TESSERA_LOCKOUT_THRESHOLD: '4' };
const WAITS_AT_2 = { TESSERA_THROTTLE_AFTER: '2' };
const ADDRESS = '127.0.0.1';

/** Fails so many logins of a name. */
async function fail({ url }: TestService, username: string, times: number): Promise<void> {
  for (let left = times; left > 0; left -= 1)
    await ask(`${url}/api/login`, {
      method: 'POST',
      body: JSON.stringify({ username, password: 'wrong' }),
    });
}

/** Every item of the list, page by page. */
async function listed(service: TestService, limit = 100) {
  const items: Record<string, unknown>[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const { body } = await asked(service, `/lock-outs?limit=${limit}&cursor=${cursor}`);
    assert.ok(body.items.length <= limit);
    items.push(...body.items);
    cursor = body.next;
  }
  return items;
}

/** A service whose clock stands still, with these users. */
async function started(t: Parameters<typeof startTestService>[0], env: Record<string, string>) {
  const service = await startTestService(t, env);
  service.stopClock();
  for (const name of ['ann', 'bob', 'cem']) await service.addUser(name);
  return service;
}

const isoAfter = (at: unknown, seconds: number) =>
  new Date(Date.parse(String(at)) + seconds * 1_000).toISOString();

test('a user who is locked out is listed with failures, since when and until when', async (t) => {
  const service = await started(t, LOCKS_AT_4);
  await fail(service, 'bob', 3);
  assert.deepEqual(await listed(service), []);
  await fail(service, 'bob', 1);
  const [bob, ...others] = await listed(service);
  assert.deepEqual(bob, {
    ...{ user: 'bob', reason: 'locked', failures: 4 },
    ...{ since: bob?.since, until: isoAfter(bob?.since, 900) },
  });
  assert.deepEqual(others, []);
  assert.deepEqual((await asked(service, '/lock-outs/BOB')).body, { items: [bob] });
  service.shiftClock(900_000);
  assert.deepEqual(await listed(service), []);
});

test('a user who is locked by hand is listed with the time of that, and without an end', async (t) => {
  const service = await started(t, {});
  const at = Date.now() - 60_000;
  await service.store.write(async ({ users, events }) => {
    const cem = await users.findByKey('cem');
    await users.change(cem?.id ?? 0, { lockedUntil: 8_640_000_000_000_000 });
    await events.append({ at, kind: 'lock', user: 'cem' });
  });
  const since = new Date(at).toISOString();
  assert.deepEqual(await listed(service), [{ user: 'cem', reason: 'locked-by-hand', failures: 0, since }]);
});

test('a user who has to wait at an address is listed once, however many logins were refused', async (t) => {
  const service = await started(t, WAITS_AT_2);
  await fail(service, 'ann', 5);
  await fail(service, 'bob', 2);
  await fail(service, 'nobody', 2);
  for (const limit of [1, 2, 100]) {
    const items = await listed(service, limit);
    const shown = items.map(({ user, address, reason, failures, since, until }) => ({
      ...{ user, address, reason, failures },
      seconds: (Date.parse(String(until)) - Date.parse(String(since))) / 1_000,
    }));
    const waiting = { address: ADDRESS, reason: 'waiting', failures: 2, seconds: 1 };
    assert.deepEqual(
      shown.sort((one, other) => String(one.user).localeCompare(String(other.user))),
      [
        { user: 'ann', ...waiting },
        { user: 'bob', ...waiting },
      ],
      `pages of ${limit}`,
    );
  }
});

test('an address that waits with every name is listed without a name', async (t) => {
  const service = await started(t, { TESSERA_THROTTLE_AFTER: '0', TESSERA_LOCKOUT_THRESHOLD: '0' });
  const { address } = counterKeys(throttleKeyFor(service.settings, 'command'))('', ADDRESS);
  const at = Date.now();
  const counter = { failures: 999, since: at, lastFailureAt: at, waitUntil: 0 };
  await service.store.write(({ attempts }) => attempts.put(address, undefined, counter));
  await fail(service, 'nobody', 3);
  const [first, ...others] = await listed(service);
  assert.deepEqual(
    { user: first?.user, address: first?.address, reason: first?.reason, failures: first?.failures },
    { user: undefined, address: ADDRESS, reason: 'address-waiting', failures: 1_000 },
  );
  assert.deepEqual(others, []);
});

test('a user who waits in a network is listed with the failures of the block that waits longest', async (t) => {
  const service = await started(t, { TESSERA_THROTTLE_AFTER: '0', TESSERA_LOCKOUT_THRESHOLD: '100' });
  const { subscriber, site } = counterKeys(throttleKeyFor(service.settings, 'command'))('ann', ADDRESS);
  const at = Date.now();
  const wait = (failures: number, seconds: number) => ({
    failures,
    since: at,
    lastFailureAt: at,
    waitUntil: at + seconds * 1_000,
  });
  const refusal = { at, kind: 'login-refused', user: 'ann', from: ADDRESS } as const;
  await service.store.write(({ events }) => events.append(refusal));
  for (const [waits, failures] of [
    [{ [subscriber]: wait(35, 3_600), [site]: wait(60, 1_800) }, 35],
    [{ [subscriber]: wait(35, 1_800), [site]: wait(60, 3_600) }, 60],
    [{ [subscriber]: wait(35, 3_600) }, 35],
    [{ [site]: wait(60, 3_600) }, 60],
  ] as const) {
    await service.store.write(async ({ attempts }) => {
      for (const key of [subscriber, site]) await attempts.remove(key);
      for (const [key, counter] of Object.entries(waits)) await attempts.put(key, undefined, counter);
    });
    const [ann, ...others] = await listed(service);
    assert.deepEqual([ann?.reason, ann?.failures, others], ['network-waiting', failures, []]);
  }
});

test('an operator lifts a lock-out: the user logs in again, and the event says who did it', async (t) => {
  const service = await started(t, LOCKS_AT_4);
  await fail(service, 'bob', 4);
  await assert.rejects(logIn(service.url, 'bob'));
  const { status, body } = await asked(service, '/lock-outs/Bob', { method: 'DELETE' }, 'operator');
  assert.deepEqual({ status, body }, { status: 204, body: undefined });
  assert.deepEqual(await listed(service), []);
  await logIn(service.url, 'bob');
  const [event, ...others] = await eventsByKeys(service);
  assert.deepEqual(
    { kind: event?.kind, user: event?.user, from: event?.from },
    { kind: 'unlock', user: 'bob', from: ADDRESS },
  );
  assert.match(event?.actor ?? '', /operator-/);
  assert.deepEqual(others, []);
});

test('the list of a user who is neither locked out nor waiting is empty; an unknown user has none', async (t) => {
  const service = await started(t, {});
  assert.deepEqual((await asked(service, '/lock-outs/ann')).body, { items: [] });
  const { status, body } = await asked(service, '/lock-outs/anne');
  assert.deepEqual(
    [status, body.code, body.detail],
    [404, 'user_not_found', 'The user anne could not be found'],
  );
});
