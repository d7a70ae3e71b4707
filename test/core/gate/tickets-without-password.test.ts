import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openMemory } from '../../engines/memory/open.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import { basic } from '../../service/talk.ts';
import { until } from '../../service/until.ts';

const HERE = '192.0.2.1';
const THERE = '198.51.100.7';
const ELSEWHERE = '203.0.113.5';
const MINUTE = 60_000;

/** A service behind a trusted proxy, with a guest and a clock that stands still. */
async function guestsAt(t: TestContext, settings: Record<string, string>): Promise<TestService> {
  const env = { TESSERA_TRUSTED_PROXIES: '127.0.0.1', ...settings };
  const service = await startTestService(t, env, openMemory);
  service.stopClock();
  await service.addUser('guest', { password: undefined });
  return service;
}

async function logIn({ url }: TestService, from: string, name = 'guest') {
  const answer = await fetch(`${url}/api/login?u=${name}&pw=x&format=json`, {
    headers: { 'x-forwarded-for': from },
  });
  const ticket = /TICKET_\w+/.exec(await answer.text())?.[0] ?? '';
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), ticket };
}

/** Logs in this many times, and returns the tickets. */
async function ticketsFor(service: TestService, from: string, times: number): Promise<string[]> {
  const tickets: string[] = [];
  for (let time = 0; time < times; time += 1) {
    const { status, ticket } = await logIn(service, from);
    assert.equal(status, 200);
    tickets.push(ticket);
    service.shiftClock(1);
  }
  return tickets;
}

/** How many of the tickets live. */
async function living({ url }: TestService, tickets: readonly string[]): Promise<number> {
  const asked = tickets.map((ticket) => fetch(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`));
  return (await Promise.all(asked)).filter(({ status }) => status === 200).length;
}

test('an address gets a limited number of tickets a minute without a password, and other addresses have their own limit', async (t) => {
  const service = await guestsAt(t, { TESSERA_TICKETS_WITHOUT_PASSWORD: '3' });
  const statuses = async (from: string, times: number) => {
    const all: number[] = [];
    for (let time = 0; time < times; time += 1) all.push((await logIn(service, from)).status);
    return all;
  };
  assert.deepEqual(await statuses(HERE, 5), [200, 200, 200, 403, 403]);
  const { retryAfter } = await logIn(service, HERE);
  assert.ok(Number(retryAfter) >= 1 && Number(retryAfter) <= 60, `Retry-After: ${retryAfter}`);
  assert.deepEqual(await statuses(THERE, 3), [200, 200, 200]);
  service.shiftClock(MINUTE);
  assert.deepEqual(await statuses(HERE, 4), [200, 200, 200, 403]);
});

test('the networks of one IPv6 /48 count as one address', async (t) => {
  const service = await guestsAt(t, { TESSERA_TICKETS_WITHOUT_PASSWORD: '2' });
  const statuses: number[] = [];
  for (const from of ['2001:db8:1:1::5', '2001:db8:1:2::5', '2001:db8:1:3::5', '2001:db8:2:1::5'])
    statuses.push((await logIn(service, from)).status);
  assert.deepEqual(statuses, [200, 200, 403, 200]);
});

test('with 0 an address gets any number, and neither Basic nor users with a password are limited', async (t) => {
  const free = await guestsAt(t, { TESSERA_TICKETS_WITHOUT_PASSWORD: '0' });
  assert.equal((await ticketsFor(free, HERE, 70)).length, 70);
  const service = await guestsAt(t, { TESSERA_TICKETS_WITHOUT_PASSWORD: '1' });
  for (const name of ['guest', 'guest']) {
    const answer = await fetch(`${service.url}/api/rules/actiondefs`, { headers: basic(`${name}:x`) });
    assert.equal(answer.status, 200);
  }
  assert.equal((await logIn(service, '127.0.0.1')).status, 200);
});

test('an address has a quarter of the tickets that a user without a password may have', async (t) => {
  const service = await guestsAt(t, { TESSERA_TICKETS_PER_USER: '8' });
  const mine = await ticketsFor(service, HERE, 2);
  const theirs = await ticketsFor(service, THERE, 20);
  assert.deepEqual([await living(service, mine), await living(service, theirs)], [2, 2]);
  assert.equal(await living(service, theirs.slice(-2)), 2, 'its oldest end');
});

test('if all tickets are taken, the address that has the most loses its oldest one', async (t) => {
  const service = await guestsAt(t, { TESSERA_TICKETS_PER_USER: '8' });
  const single = await ticketsFor(service, HERE, 1);
  const double: string[] = [];
  for (const from of [THERE, ELSEWHERE, '192.0.2.77']) double.push(...(await ticketsFor(service, from, 2)));
  const last = await ticketsFor(service, '192.0.2.88', 1);
  assert.equal(await living(service, [...single, ...double, ...last]), 8);
  const late = await ticketsFor(service, '192.0.2.99', 1);
  assert.equal(await living(service, [...single, ...last, ...late]), 3);
  assert.deepEqual([await living(service, double), await living(service, double.slice(0, 1))], [5, 0]);
});

test('set to refuse, an address that has its share is refused, and another is not', async (t) => {
  const service = await guestsAt(t, { TESSERA_TICKETS_PER_USER: '8', TESSERA_TICKETS_FULL: 'refuse' });
  const theirs = await ticketsFor(service, THERE, 2);
  assert.equal((await logIn(service, THERE)).status, 403);
  await ticketsFor(service, HERE, 2);
  assert.equal(await living(service, theirs), 2);
});

test('logins without a password are counted in one event, and others have one event each', async (t) => {
  const service = await guestsAt(t, {});
  // All of them in one minute.
  service.stopClock();
  for (let time = 0; time < 5; time += 1) await logIn(service, HERE);
  await service.addUser('ann', { password: 'x' });
  for (let time = 0; time < 2; time += 1) assert.equal((await logIn(service, HERE, 'ann')).status, 200);
  const logins = async () => {
    const events = await service.store.read((unit) => unit.events.list({}));
    return events.filter(({ kind }) => kind === 'login');
  };
  // A count is written within a second, so the logins of a slow machine are written in several steps.
  await until('all are counted', async () => (await logins()).some(({ count }) => count === 5));
  assert.deepEqual(
    (await logins()).map(({ user, from, count, digest }) => [user, from, count, digest !== undefined]).sort(),
    [
      ['ann', HERE, 1, true],
      ['ann', HERE, 1, true],
      ['guest', HERE, 5, false],
    ],
  );
});
