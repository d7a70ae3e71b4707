// First of all, so that what is imported below it hashes through the count.
import '../counted-hashes.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { ask } from '../../service/talk.ts';
import { hashes } from '../counted-hashes.ts';
import { BEHIND_PROXY, fail, failUntilWaiting, REFUSED, tryBy, WAYS } from './trying.ts';

const HERE = '192.0.2.1';
const THERE = '198.51.100.7';
const MINUTE = 60_000;

/** Whether so many seconds are what is left of a wait of 15 minutes that has just begun. */
const isLong = (seconds = 0) => seconds > 840 && seconds <= 900;

/** A service where `admin` waits at HERE. */
async function waiting(t: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(t, BEHIND_PROXY);
  await failUntilWaiting(service, 'admin', HERE);
  return service;
}

test('while a name waits at an address every way in is refused unhashed, with the seconds to wait', async (t) => {
  const { url } = await waiting(t);
  hashes.length = 0;
  for (const way of WAYS) {
    for (const password of [PASSWORD, 'wrong']) {
      const { status, challenge, retryAfter } = await tryBy(way, url, 'ADMIN', password, HERE);
      assert.deepEqual({ status, challenge }, REFUSED[way], way);
      assert.ok(isLong(retryAfter), `${way}: ${retryAfter}`);
    }
  }
  assert.equal(hashes.length, 0);
});

test('other addresses and other names are let through meanwhile', async (t) => {
  const service = await waiting(t);
  await service.addUser('ann');
  for (const way of WAYS) {
    assert.ok((await tryBy(way, service.url, 'ann', PASSWORD, HERE)).letIn, way);
    assert.ok((await tryBy(way, service.url, 'admin', PASSWORD, THERE)).letIn, way);
  }
  assert.equal((await tryBy('post', service.url, 'admin', PASSWORD, HERE)).status, 403);
});

test('tries made while waiting do not lengthen the wait, and after it the right password is accepted', async (t) => {
  const service = await waiting(t);
  service.shiftClock(14 * MINUTE);
  await fail(20, service.url, 'admin', HERE);
  const { retryAfter = 0 } = await tryBy('post', service.url, 'admin', PASSWORD, HERE);
  assert.ok(retryAfter > 0 && retryAfter <= 60, String(retryAfter));
  service.shiftClock(MINUTE);
  assert.ok((await tryBy('post', service.url, 'admin', PASSWORD, HERE)).letIn);
  assert.equal((await tryBy('post', service.url, 'admin', 'wrong', HERE)).retryAfter, undefined);
});

test('a failure that is looked at tells of no wait, the try after it does', async (t) => {
  const service = await startTestService(t);
  for (const { status, retryAfter } of await failUntilWaiting(service, 'admin'))
    assert.deepEqual([status, retryAfter], [403, undefined]);
  assert.ok(isLong((await tryBy('post', service.url, 'admin', 'wrong')).retryAfter));
});

test('of 40 wrong tries at once, by every way in, at most 5 are hashed', async (t) => {
  const { url } = await startTestService(t);
  hashes.length = 0;
  const tries = Array.from({ length: 40 }, (_, index) => {
    const way = WAYS[index % WAYS.length] ?? 'get';
    return tryBy(way, url, 'admin', `wrong ${index}`).then((tried) => ({ way, ...tried }));
  });
  const tried = await Promise.all(tries);
  for (const { way, status, challenge } of tried) assert.deepEqual({ status, challenge }, REFUSED[way]);
  assert.ok(hashes.length <= 5, `${hashes.length} were hashed`);
  assert.equal(tried.filter(({ retryAfter }) => retryAfter === undefined).length, hashes.length);
});

test('40 right logins at once all succeed', async (t) => {
  const { url } = await startTestService(t);
  const tries = Array.from({ length: 40 }, (_, index) =>
    tryBy(WAYS[index % 3] ?? 'get', url, 'admin', PASSWORD),
  );
  assert.deepEqual(
    (await Promise.all(tries)).filter(({ letIn }) => !letIn),
    [],
  );
});

test('a login that a foreign page sent is refused unhashed and counts nowhere', async (t) => {
  const { url } = await startTestService(t, { TESSERA_THROTTLE_AFTER: '2', TESSERA_LOCKOUT_THRESHOLD: '2' });
  hashes.length = 0;
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { origin: 'https://a.example' },
  ]) {
    const { status, text } = await ask(`${url}/api/login`, { method: 'POST', headers, body });
    assert.equal(status, 403);
    assert.match(text, /"message":"Cross-site login refused"/);
    assert.equal((await ask(`${url}/api/login?u=admin&pw=wrong`, { headers })).status, 403);
  }
  assert.equal(hashes.length, 0);
  assert.ok((await tryBy('post', url, 'admin', PASSWORD)).letIn);
});

test('an IPv6 /64 is one address, and an IPv4 address is one however it is written', async (t) => {
  const service = await startTestService(t, BEHIND_PROXY);
  const waits = async (name: string, from: string) =>
    isLong((await tryBy('post', service.url, name, 'wrong', from)).retryAfter);
  await failUntilWaiting(service, 'six', '2001:db8:0:1::1');
  assert.ok(await waits('six', '2001:db8:0:1:ffff:ffff:ffff:ffff'));
  assert.ok(!(await waits('six', '2001:db8:0:2::1')));
  await failUntilWaiting(service, 'four', HERE);
  assert.ok(await waits('four', `::ffff:${HERE}`));
});
