import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Digest, Ticket } from '../../../src/core/domain/ticket.ts';
import { newUser } from '../../../src/core/domain/user.ts';
import { FullUsers } from '../../../src/core/gate/ticket-room.ts';
import { digestOf } from '../../../src/core/gate/tickets.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';
import { ChangedStore, withTickets } from './changed-store.ts';

const start = (t: TestContext, most: number, whenFull = 'replace-oldest', store = new ChangedStore()) =>
  startTestService(
    t,
    { TESSERA_TICKETS_PER_USER: String(most), TESSERA_TICKETS_FULL: whenFull },
    () => store,
  );

/** Logs in this many times, one millisecond after another. */
async function logInTimes(service: TestService, times: number, name = 'admin'): Promise<string[]> {
  const tickets: string[] = [];
  for (let time = 0; time < times; time += 1) {
    tickets.push(await logIn(service.url, name));
    service.shiftClock(1);
  }
  return tickets;
}

const call = ({ url }: TestService, ticket: string, method = 'GET') =>
  ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, { method });

/** Which of the tickets live, by their place in the list. */
async function living(service: TestService, tickets: readonly string[]): Promise<number[]> {
  const answers = await Promise.all(tickets.map((ticket) => call(service, ticket)));
  return answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
}

const refusalOf = async ({ url }: TestService) => {
  const { status, text } = await ask(`${url}/api/login?u=admin&pw=correct-horse-battery&format=json`);
  return [status, JSON.parse(text).message];
};

test('above the limit a new login ends the oldest ticket', async (t) => {
  const service = await start(t, 3);
  const tickets = await logInTimes(service, 5);
  assert.deepEqual(await living(service, tickets), [2, 3, 4]);
});

test('with a limit of 1 a new login ends the older ticket', async (t) => {
  const service = await start(t, 1);
  const tickets = await logInTimes(service, 3);
  assert.deepEqual(await living(service, tickets), [2]);
});

test('with a limit of 0 there may be any number of tickets', async (t) => {
  const service = await start(t, 0);
  const tickets = await logInTimes(service, 25);
  assert.equal((await living(service, tickets)).length, 25);
});

test('the limit counts for each user separately', async (t) => {
  const service = await start(t, 2);
  await service.addUser('ann');
  const tickets = [...(await logInTimes(service, 2)), ...(await logInTimes(service, 2, 'ann'))];
  assert.deepEqual(await living(service, tickets), [0, 1, 2, 3]);
});

test('set to refuse, a login above the limit is refused, and the reason is only in the events', async (t) => {
  const store = new ChangedStore();
  const service = await start(t, 2, 'refuse', store);
  const tickets = await logInTimes(service, 2);
  assert.deepEqual(await refusalOf(service), [403, 'Login failed']);
  assert.deepEqual(await living(service, tickets), [0, 1]);
  const [refused, ...more] = await store.aside(async (unit) =>
    (await unit.events.list({})).filter(({ kind }) => kind === 'login-refused'),
  );
  assert.deepEqual(
    [refused?.user, refused?.from, refused?.reason],
    ['admin', '127.0.0.1', 'too many live tickets'],
  );
  assert.deepEqual(more, []);
});

test('a refusal for too many tickets is no wrong password: it causes no wait and no lockout', async (t) => {
  const service = await start(t, 1, 'refuse');
  const [ticket = ''] = await logInTimes(service, 1);
  for (let time = 0; time < 8; time += 1) assert.deepEqual(await refusalOf(service), [403, 'Login failed']);
  assert.equal((await call(service, ticket, 'DELETE')).status, 200);
  await logIn(service.url);
});

test('tickets that have ended do not count', async (t) => {
  const service = await start(t, 2, 'refuse');
  const [first = ''] = await logInTimes(service, 2);
  await call(service, first, 'DELETE');
  await logInTimes(service, 1);
  assert.deepEqual(await refusalOf(service), [403, 'Login failed']);
  service.shiftClock(3_600_000);
  await logInTimes(service, 2);
  await service.store.write((unit) => unit.tickets.raiseServerGeneration());
  await logInTimes(service, 2);
  assert.deepEqual(await refusalOf(service), [403, 'Login failed']);
});

test('simultaneous logins do not exceed the limit', async (t) => {
  for (const [whenFull, succeed] of [
    ['replace-oldest', 12],
    ['refuse', 3],
  ] as const) {
    const service = await start(t, 3, whenFull);
    const logins = await Promise.allSettled(Array.from({ length: 12 }, () => logIn(service.url)));
    const tickets = logins.flatMap((login) => (login.status === 'fulfilled' ? [login.value] : []));
    assert.equal(tickets.length, succeed, whenFull);
    assert.equal((await living(service, tickets)).length, 3, whenFull);
  }
});

test('after the limit was lowered, a login ends all tickets above it', async (t) => {
  const store = new ChangedStore();
  const generous = await start(t, 10, 'replace-oldest', store);
  const tickets = await logInTimes(generous, 6);
  await generous.stop();
  const strict = await start(t, 2, 'replace-oldest', store);
  strict.shiftClock(1_000);
  tickets.push(await logIn(strict.url));
  assert.deepEqual(await living(strict, tickets), [5, 6]);
});

test('logins of a user at the limit list the tickets once, and each ends the oldest', async (t) => {
  const store = new ChangedStore();
  let listings = 0;
  store.change = (unit) => {
    const listOf = (userId: number) => {
      listings += 1;
      return unit.tickets.listOf(userId);
    };
    return withTickets(unit, { listOf });
  };
  const service = await start(t, 10, 'replace-oldest', store);
  const tickets = await logInTimes(service, 14);
  assert.equal(listings, 1);
  assert.deepEqual(await living(service, tickets), [4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
});

test('the oldest tickets of 1,000 users at the limit are remembered, in the order in which they end', () => {
  const fullUsers = new FullUsers();
  const now = 1_000;
  const requestOf = (id: number) => ({
    user: { ...newUser(`user-${id}`, { namesCaseSensitive: false, passwordHash: 'hash' }), id },
    serverGeneration: 0,
    now,
    group: undefined,
  });
  const ids = Array.from({ length: 1_000 }, (_, at) => at + 1);
  for (const userId of ids) {
    const tickets = ['first', 'second'].map((name) => ({
      digest: `${name} ${userId}` as Digest,
      userId,
      userGeneration: 0,
      serverGeneration: 0,
      issuedAt: now,
      usedAt: now,
    }));
    fullUsers.remember(requestOf(userId), tickets, { idle: 1_000, age: 1_000 });
  }
  for (const id of ids) assert.deepEqual(fullUsers.oldestOf(requestOf(id)), [`first ${id}`, `second ${id}`]);
});

test('a user at the limit whose younger tickets expire keeps an older one that is in use', async (t) => {
  const store = new ChangedStore();
  const service = await start(t, 3, 'replace-oldest', store);
  const tickets = await logInTimes(service, 5);
  service.shiftClock(1_800_000);
  await store.aside((unit) => unit.tickets.use(digestOf(tickets[2] as Ticket), Date.now() + 1_800_000));
  service.shiftClock(1_800_000);
  tickets.push(...(await logInTimes(service, 2)));
  assert.deepEqual(await living(service, tickets), [2, 5, 6]);
});

test('a log-out leaves room at the limit', async (t) => {
  const service = await start(t, 5);
  const tickets = await logInTimes(service, 6);
  await call(service, tickets[2] as string, 'DELETE');
  tickets.push(...(await logInTimes(service, 1)));
  assert.deepEqual(await living(service, tickets), [1, 3, 4, 5, 6]);
  tickets.push(...(await logInTimes(service, 2)));
  assert.deepEqual(await living(service, tickets), [4, 5, 6, 7, 8]);
});

test('a change of the user that ends all tickets but the oldest leaves room at the limit', async (t) => {
  const store = new ChangedStore();
  const service = await start(t, 5, 'replace-oldest', store);
  const tickets = await logInTimes(service, 6);
  await store.aside(async ({ users, tickets: stored }) => {
    const { id = 0, generation = 0 } = (await users.findByKey('admin')) ?? {};
    await users.change(id, { generation: generation + 1 });
    await stored.moveToGeneration(digestOf(tickets[1] as Ticket), generation + 1);
  });
  tickets.push(...(await logInTimes(service, 2)));
  assert.deepEqual(await living(service, tickets), [1, 6, 7]);
});

test('a login at the limit that cannot be written ends no ticket, and the next one ends the oldest', async (t) => {
  const store = new ChangedStore();
  const service = await start(t, 5, 'replace-oldest', store);
  const tickets = await logInTimes(service, 6);
  store.commits = false;
  await assert.rejects(logIn(service.url), { status: 503 });
  store.commits = true;
  assert.deepEqual(await living(service, tickets), [1, 2, 3, 4, 5]);
  tickets.push(...(await logInTimes(service, 1)));
  assert.deepEqual(await living(service, tickets), [2, 3, 4, 5, 6]);
});
