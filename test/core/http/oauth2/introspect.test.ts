import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { UNTIL_UNLOCKED } from '../../../../src/core/domain/user.ts';
import type { UserChange } from '../../../../src/core/storage/store.ts';
import { afterwards } from '../../../service/afterwards.ts';
import { PASSWORD, type TestService } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';
import { logIn } from '../../../service/talk.ts';
import { until } from '../../../service/until.ts';
import { assertSound } from '../scenario.ts';
import { eventsAtEnd, type Gateway, startGateway } from './gateway.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DEAD = '{"active":false}';
const OFF = { TESSERA_TICKET_IDLE: 'off', TESSERA_TICKET_AGE: 'off' };

const seconds = () => Math.floor(Date.now() / 1_000);
const nearly = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) <= 5, `${actual} is not about ${expected}`);

/** A gateway, and a live ticket of Mia, who logs in in another spelling of her name. */
async function withTicket(
  t: TestContext,
  env?: Record<string, string>,
): Promise<Gateway & { ticket: string }> {
  const gateway = await startGateway(t, env);
  await gateway.service.addUser('Mia Müller');
  return { ...gateway, ticket: await logIn(gateway.service.url, 'MIA MÜLLER') };
}

function change({ store }: TestService, what: UserChange): Promise<void> {
  return store.write(async (unit) => {
    const user = await unit.users.findByKey('mia müller');
    await unit.users.change(user?.id as number, what);
  });
}

/** Asks about the ticket until its use is written, and returns the first answer. */
async function use({ introspect, ticket, service }: Awaited<ReturnType<typeof withTicket>>): Promise<string> {
  const usedAt = () =>
    service.store.read(async (unit) => (await unit.tickets.page(undefined, 1))[0]?.ticket.usedAt);
  const before = await usedAt();
  const answer = await introspect(ticket);
  await until('the use is written', async () => (await usedAt()) !== before);
  return answer;
}

test('a client learns of a live ticket whose it is, since when and until when', async (t) => {
  const { ask, ticket, service } = await withTicket(t);
  const heard = await ask('introspect', { token: ticket });
  assert.equal(heard.status, 200);
  assertSound(heard);
  assert.equal(heard.headers['content-type'], 'application/json;charset=UTF-8');
  assert.match(heard.headers['cache-control'] ?? '', /no-store/);
  const { iat, exp, ...rest } = JSON.parse(heard.text);
  const user = await service.store.read((unit) => unit.users.findByKey('mia müller'));
  assert.deepEqual(rest, { active: true, username: 'Mia Müller', sub: String(user?.id) });
  nearly(iat, seconds());
  nearly(exp, seconds() + 3_600);
});

test('the end is that of the age if it comes first, and otherwise moves with each use', async (t) => {
  const one = await withTicket(t, { TESSERA_TICKET_AGE: 'PT2H' });
  const { introspect, ticket, service } = one;
  service.shiftClock(50 * MINUTE);
  const { iat, exp } = JSON.parse(await use(one));
  nearly(exp, iat + 110 * 60);
  service.shiftClock(50 * MINUTE);
  nearly(JSON.parse(await introspect(ticket)).exp, iat + 120 * 60);
});

test('without limits there is no end', async (t) => {
  const { introspect, ticket } = await withTicket(t, OFF);
  assert.deepEqual(Object.keys(JSON.parse(await introspect(ticket))), ['active', 'username', 'sub', 'iat']);
});

test('an introspection counts as a use of the ticket', async (t) => {
  const one = await withTicket(t);
  for (let time = 0; time < 3; time += 1) {
    one.service.shiftClock(59 * MINUTE);
    assert.match(await use(one), /"active":true/, `${time}`);
  }
  one.service.shiftClock(HOUR);
  assert.equal(await one.introspect(one.ticket), DEAD);
});

test('the use by an introspection is written when the service stops, at the latest', async (t) => {
  const { introspect, ticket, service } = await withTicket(t);
  const [issued] = await service.store.read((unit) => unit.tickets.page(undefined, 1));
  service.shiftClock(30 * MINUTE);
  assert.match(await introspect(ticket), /"active":true/);
  await service.stop();
  const store = openSqlite(service.data);
  afterwards(t, () => store.close());
  const [used] = await store.read((unit) => unit.tickets.page(undefined, 1));
  const later = (used?.ticket.usedAt as number) - (issued?.ticket.usedAt as number);
  assert.ok(later >= 30 * MINUTE, `used ${later} ms after it was issued`);
});

test('a client learns nothing else of a ticket that is not live', async (t) => {
  const { introspect, ticket, secret } = await withTicket(t);
  for (const token of [
    `TICKET_${'0'.repeat(40)}`,
    ticket.toUpperCase(),
    ` ${ticket}`,
    `${ticket}\n`,
    `:${ticket}`,
    PASSWORD,
    secret,
    'eyJhbGciOiJub25lIn0.eyJzdWIiOiJtaWEifQ.',
    'ü'.repeat(1_000),
    '\0',
  ])
    assert.equal(await introspect(token), DEAD, JSON.stringify(token));
});

const DEATHS: Readonly<Record<string, (gateway: Gateway & { ticket: string }) => Promise<unknown>>> = {
  'has not been used for its inactivity time': async ({ service }) => service.shiftClock(HOUR),
  'was revoked': ({ revoke, ticket }) => revoke(ticket),
  'is of a disabled user': ({ service }) => change(service, { disabled: true }),
  'is of a locked user': ({ service }) => change(service, { lockedUntil: Date.now() + HOUR }),
  'is older than its user’s password': ({ service }) => change(service, { generation: 1 }),
  'is older than a revocation of all': ({ service }) =>
    service.store.write((unit) => unit.tickets.raiseServerGeneration()),
  'is of a removed user': ({ service }) =>
    service.store.write(async ({ users }) =>
      users.remove((await users.findByKey('mia müller'))?.id as number),
    ),
};

for (const [death, die] of Object.entries(DEATHS)) {
  test(`a ticket is not active for the next request once it ${death}`, async (t) => {
    const gateway = await withTicket(t);
    assert.match(await gateway.introspect(gateway.ticket), /"active":true/);
    await die(gateway);
    assert.equal(await gateway.introspect(gateway.ticket), DEAD);
  });
}

test('why a ticket is not active is only in the events, counted', async (t) => {
  const gateway = await withTicket(t);
  await change(gateway.service, { lockedUntil: UNTIL_UNLOCKED });
  for (let time = 0; time < 3; time += 1) await gateway.introspect(gateway.ticket);
  const events = (await eventsAtEnd(gateway)).filter(({ kind }) => kind === 'ticket-refused');
  assert.deepEqual(
    new Set(events.map(({ reason, from, user }) => ({ reason, from, user }))),
    new Set([{ reason: 'suspended', from: '127.0.0.1', user: undefined }]),
  );
  assert.equal(
    events.reduce((sum, { count }) => sum + count, 0),
    3,
  );
});

test('a store that cannot answer is 503, and never says that a ticket is not active', async (t) => {
  const { ask, ticket, service } = await withTicket(t);
  await service.store.close();
  const heard = await ask('introspect', { token: ticket });
  assert.equal(heard.status, 503);
  assert.match(heard.headers['retry-after'] ?? '', /^\d+$/);
  assert.equal(JSON.parse(heard.text).error, 'temporarily_unavailable');
});
