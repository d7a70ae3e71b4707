import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { UNTIL_UNLOCKED } from '../../../src/core/domain/user.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { ask, basic, logIn } from '../../service/talk.ts';
import { until } from '../../service/until.ts';
import { ChangedStore } from './changed-store.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const UNKNOWN = `TICKET_${'0'.repeat(40)}`;

/** A service, a ticket of its administrator, and the use of that ticket as it is written in the store. */
async function oneTicket(t: TestContext, env: Record<string, string> = {}) {
  const store = new ChangedStore();
  const service = await startTestService(t, env, () => store);
  service.stopClock();
  const ticket = await logIn(service.url);
  const validate = async (which = ticket, query = `?alf_ticket=${ticket}`, headers = {}) =>
    (await ask(`${service.url}/api/login/ticket/${which}${query}`, { headers })).status;
  const usedAt = () =>
    store.aside(async (unit) => (await unit.tickets.page(undefined, 1))[0]?.ticket.usedAt ?? 0);
  /** Stops the service, which writes its buffer, and returns whether a use was in it. */
  const extended = async (since: number) => {
    await service.stop();
    return (await usedAt()) > since;
  };
  return { store, service, ticket, validate, usedAt, extended };
}

type OneTicket = Awaited<ReturnType<typeof oneTicket>>;

/** Uses the ticket, and waits until the use is written. */
async function useUntilWritten({ validate, usedAt }: OneTicket): Promise<void> {
  const before = await usedAt();
  assert.equal(await validate(), 200);
  await until('the use is written', async () => (await usedAt()) !== before);
}

for (const [idle, step] of [
  ['PT1H', 58 * MINUTE],
  ['PT10S', 9 * SECOND],
  ['PT2S', SECOND],
] as const) {
  test(`with an inactivity time of ${idle} a ticket lives as long as it is used, and ends after its last use`, async (t) => {
    const one = await oneTicket(t, { TESSERA_TICKET_IDLE: idle });
    for (let time = 0; time < 3; time += 1) {
      one.service.shiftClock(step);
      await useUntilWritten(one);
    }
    one.service.shiftClock(2 * step);
    assert.equal(await one.validate(), 401);
  });
}

test('use does not extend a ticket past its age', async (t) => {
  const one = await oneTicket(t, { TESSERA_TICKET_IDLE: 'PT1H', TESSERA_TICKET_AGE: 'PT2H' });
  for (const step of [HOUR - SECOND, HOUR - SECOND]) {
    one.service.shiftClock(step);
    await useUntilWritten(one);
  }
  one.service.shiftClock(3 * MINUTE);
  assert.equal(await one.validate(), 401);
});

test('with both limits off a ticket lives on, and no use is written', async (t) => {
  const one = await oneTicket(t, { TESSERA_TICKET_IDLE: 'off', TESSERA_TICKET_AGE: 'off' });
  const before = await one.usedAt();
  one.service.shiftClock(20 * 365 * 24 * HOUR);
  assert.equal(await one.validate(), 200);
  assert.equal(await one.extended(before), false);
});

test('a use is written only once the written one is older than a tenth of the inactivity time', async (t) => {
  for (const [minutes, written] of [
    [5, false],
    [7, true],
  ] as const) {
    const one = await oneTicket(t, { TESSERA_TICKET_IDLE: 'PT1H' });
    const before = await one.usedAt();
    one.service.shiftClock(minutes * MINUTE);
    assert.equal(await one.validate(), 200);
    assert.equal(await one.extended(before), written, `after ${minutes} minutes`);
  }
});

test('a refused call extends no ticket', async (t) => {
  const refusals: Record<string, (one: OneTicket) => Promise<[number, number]>> = {
    'a validation of an unknown ticket': async ({ validate }) => [await validate(UNKNOWN), 404],
    'a validation of a malformed ticket': async ({ validate }) => [await validate('nonsense'), 404],
    'a call while the user is locked': async ({ store, validate }) => {
      await store.aside((unit) => unit.users.change(1, { lockedUntil: UNTIL_UNLOCKED }));
      return [await validate(), 401];
    },
    "another user's validation of it": async ({ service, ticket, validate }) => {
      await service.addUser('ann');
      return [await validate(ticket, '', basic(`ann:${PASSWORD}`)), 404];
    },
  };
  for (const [which, refuse] of Object.entries(refusals)) {
    const one = await oneTicket(t);
    const before = await one.usedAt();
    one.service.shiftClock(30 * MINUTE);
    const [status, expected] = await refuse(one);
    assert.equal(status, expected, which);
    assert.equal(await one.extended(before), false, which);
  }
});

test('a validation extends the validated ticket, however its owner is known', async (t) => {
  const one = await oneTicket(t);
  const before = await one.usedAt();
  one.service.shiftClock(30 * MINUTE);
  assert.equal(await one.validate(one.ticket, '', basic(`admin:${PASSWORD}`)), 200);
  assert.equal(await one.extended(before), true);
});

test('a call of any operation extends its ticket', async (t) => {
  const one = await oneTicket(t);
  const before = await one.usedAt();
  one.service.shiftClock(30 * MINUTE);
  const { status } = await ask(`${one.service.url}/api/rules/actiondefs?alf_ticket=${one.ticket}`);
  assert.equal(status, 200);
  assert.equal(await one.extended(before), true);
});

test('a use that cannot be written does not fail the answer', async (t) => {
  const { store, service, validate } = await oneTicket(t);
  service.shiftClock(59 * MINUTE + 59 * SECOND);
  store.commits = false;
  assert.equal(await validate(), 200);
  await service.stop();
  assert.ok(service.lines.some((line) => line.includes('the disk is full')));
});

test('a use that cannot be written is written once the store can write again', async (t) => {
  const one = await oneTicket(t);
  one.service.shiftClock(30 * MINUTE);
  one.store.commits = false;
  assert.equal(await one.validate(), 200);
  await until('the fault is told', () => one.service.lines.some((line) => line.includes('the disk is full')));
  const before = await one.usedAt();
  one.store.commits = true;
  await until('the use is written', async () => (await one.usedAt()) !== before);
});
