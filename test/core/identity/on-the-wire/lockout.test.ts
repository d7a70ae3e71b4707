import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNTIL_UNLOCKED, withDisabled } from '../../../../src/core/domain/user.ts';
import type { UserChange } from '../../../../src/core/storage/store.ts';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';
import { ask } from '../../../service/talk.ts';
import { BEHIND_PROXY, fail, REFUSED, tryBy, WAYS } from './trying.ts';

const HOME = '192.0.2.1';
const AWAY = '198.51.100.7';
const MINUTE = 60_000;
const LOCKS_SOON = { ...BEHIND_PROXY, TESSERA_LOCKOUT_THRESHOLD: '3' };

/** Ann, who logged in from HOME and has a ticket. */
async function annAtHome(t: Parameters<typeof startTestService>[0], more: Record<string, string> = {}) {
  const service = await startTestService(t, { ...LOCKS_SOON, ...more });
  await service.addUser('ann');
  const { body } = await tryBy('post', service.url, 'ann', PASSWORD, HOME);
  const ticket: string = JSON.parse(body).data.ticket;
  const present = (method = 'GET') =>
    ask(`${service.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, { method });
  return { service, present, stateOfTicket: async () => (await present()).status };
}

const failEverywhere = async ({ url }: TestService) => {
  for (const host of [1, 2, 3]) await fail(1, url, 'ann', `203.0.113.${host}`);
};

const change = (service: TestService, changed: UserChange) =>
  service.store.write(async (unit) =>
    unit.users.change((await unit.users.findByKey('ann'))?.id ?? 0, changed),
  );

test('after failures at any addresses even the right password is refused, by every way in', async (t) => {
  const { service } = await annAtHome(t);
  await failEverywhere(service);
  assert.match(await service.watched.metrics.text(), /^tessera_lock_outs_total 1$/m);
  for (const way of WAYS) {
    const { status, challenge, retryAfter = 0 } = await tryBy(way, service.url, 'ann', PASSWORD, AWAY);
    assert.deepEqual({ status, challenge }, REFUSED[way]);
    assert.ok(retryAfter > 840 && retryAfter <= 900, `${way}: ${retryAfter}`);
  }
});

test('the tickets of a locked-out user are suspended, and valid again when the lock-out ends', async (t) => {
  const { service, present, stateOfTicket } = await annAtHome(t);
  await failEverywhere(service);
  const refused = await present();
  assert.equal(refused.status, 401);
  assert.doesNotMatch(refused.text, /TICKET_|lock|suspend/i);
  assert.equal((await present('DELETE')).status, 401);
  service.shiftClock(15 * MINUTE);
  assert.equal(await stateOfTicket(), 200);
  assert.ok((await tryBy('post', service.url, 'ann', PASSWORD, AWAY)).letIn);
});

test('with TESSERA_LOCKOUT_TICKETS=valid a lock-out leaves tickets valid, and a lock by hand does not', async (t) => {
  const { service, stateOfTicket } = await annAtHome(t, { TESSERA_LOCKOUT_TICKETS: 'valid' });
  await failEverywhere(service);
  assert.equal((await tryBy('post', service.url, 'ann', PASSWORD, AWAY)).status, 403);
  assert.equal(await stateOfTicket(), 200);
  await change(service, { lockedUntil: UNTIL_UNLOCKED });
  assert.equal(await stateOfTicket(), 401);
});

test('100 wrong passwords from 20 /64s of one /56 leave the user’s tickets and logins as they are', async (t) => {
  const { service, stateOfTicket } = await annAtHome(t, { TESSERA_LOCKOUT_THRESHOLD: '100' });
  for (let host = 0; host < 20; host += 1)
    await fail(5, service.url, 'ann', `2001:db8:1:2${host.toString(16).padStart(2, '0')}::1`);
  assert.equal(await stateOfTicket(), 200);
  assert.ok((await tryBy('post', service.url, 'ann', PASSWORD, AWAY)).letIn);
});

test('a ticket whose inactivity time ends during the lock-out is not valid again', async (t) => {
  const { service, stateOfTicket } = await annAtHome(t);
  service.shiftClock(50 * MINUTE);
  await failEverywhere(service);
  service.shiftClock(11 * MINUTE);
  assert.equal(await stateOfTicket(), 401);
  service.shiftClock(5 * MINUTE);
  assert.equal(await stateOfTicket(), 401);
});

test('from a familiar address the right password ends the lock-out for tickets and for everyone', async (t) => {
  for (const way of WAYS) {
    const { service, stateOfTicket } = await annAtHome(t);
    await failEverywhere(service);
    assert.ok((await tryBy(way, service.url, 'ann', PASSWORD, HOME)).letIn, way);
    assert.equal(await stateOfTicket(), 200);
    assert.ok((await tryBy('post', service.url, 'ann', PASSWORD, AWAY)).letIn);
  }
});

test('a lock by hand suspends tickets until it ends, disabling ends them, and both refuse every way in', async (t) => {
  for (const [done, undone, afterwards] of [
    [{ lockedUntil: UNTIL_UNLOCKED }, { lockedUntil: 0 }, 200],
    [withDisabled({ generation: 0 }, true), withDisabled({ generation: 1 }, false), 401],
  ] as const) {
    const { service, stateOfTicket } = await annAtHome(t);
    await change(service, done);
    assert.equal(await stateOfTicket(), 401);
    for (const way of WAYS)
      assert.equal((await tryBy(way, service.url, 'ann', PASSWORD, HOME)).status, REFUSED[way].status);
    service.shiftClock(20 * MINUTE);
    assert.equal(await stateOfTicket(), 401);
    await change(service, undone);
    assert.equal(await stateOfTicket(), afterwards);
    assert.ok((await tryBy('post', service.url, 'ann', PASSWORD, AWAY)).letIn);
  }
});

test('once a clock that was 23 hours ahead is corrected, its waits and its lock-out have no effect', async (t) => {
  const { service, present } = await annAtHome(t, { TESSERA_LOCKOUT_THRESHOLD: '10' });
  service.shiftClock(23 * 60 * MINUTE);
  await fail(5, service.url, 'ann', HOME);
  await failEverywhere(service);
  await fail(5, service.url, 'ann', AWAY);
  assert.equal((await present()).status, 401);
  service.shiftClock(-23 * 60 * MINUTE);
  for (const way of WAYS)
    assert.ok((await tryBy(way, service.url, 'ann', PASSWORD, HOME)).letIn, `${way}: the clock is right`);
  assert.equal((await present()).status, 200);
});

test('failures in one network make the name wait there, and nowhere else', async (t) => {
  const few = { ...BEHIND_PROXY, TESSERA_THROTTLE_AFTER: '0', TESSERA_LOCKOUT_THRESHOLD: '20' };
  const service = await startTestService(t, few);
  service.stopClock();
  await service.addUser('ann');
  for (let times = 0; times < 5; times += 1) {
    const { status } = await tryBy('post', service.url, 'ann', 'wrong', AWAY);
    assert.equal(status, REFUSED.post.status);
  }
  const { status, retryAfter } = await tryBy('post', service.url, 'ann', PASSWORD, AWAY);
  assert.deepEqual([status, retryAfter], [403, 43]);
  assert.ok((await tryBy('post', service.url, 'ann', PASSWORD, HOME)).letIn);
});
