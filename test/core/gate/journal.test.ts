import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { RecordedEvent } from '../../../src/core/domain/event.ts';
import { UNTIL_UNLOCKED } from '../../../src/core/domain/user.ts';
import { PASSWORD, startTestService, type TestService } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';
import { ChangedStore, withTickets } from './changed-store.ts';

const UNKNOWN = `TICKET_${'0'.repeat(40)}`;

/** The events of `work`, once the service has stopped. */
async function eventsOf(
  t: TestContext,
  work: (service: TestService) => Promise<unknown>,
  store = new ChangedStore(),
): Promise<RecordedEvent[]> {
  const service = await startTestService(t, {}, () => store);
  await work(service);
  await service.stop();
  const events = await store.aside((unit) => unit.events.list({}));
  return events.filter(({ kind }) => kind !== 'user-added');
}

/** The refused tickets among the events: who called, why it was refused, how often. */
function refusedTickets(events: readonly RecordedEvent[]): string[] {
  const refused = events.filter(({ kind }) => kind === 'ticket-refused');
  return refused.map(({ user = '-', reason, count }) => `${user} ${reason} ${count}`).sort();
}

const call = ({ url }: TestService, which: string, presented = which, method = 'GET') =>
  ask(`${url}/api/login/ticket/${which}?alf_ticket=${presented}`, { method });

test('the events of a login and a logout have the user, the address, the time and the same digits of the digest', async (t) => {
  const began = Date.now();
  const events = await eventsOf(t, async (service) => {
    const ticket = await logIn(service.url, 'ADMIN');
    await call(service, ticket);
    await call(service, ticket, ticket, 'DELETE');
  });
  assert.deepEqual(
    events.map(({ kind, user, from }) => [kind, user, from]),
    [
      ['login', 'admin', '127.0.0.1'],
      ['logout', 'admin', '127.0.0.1'],
    ],
  );
  assert.match(events[0]?.digest ?? '', /^[0-9a-f]{8}$/);
  assert.equal(events[1]?.digest, events[0]?.digest);
  for (const { at } of events) assert.ok(at >= began && at <= Date.now());
});

test('a refused ticket is counted with the true reason, which its caller does not learn', async (t) => {
  const events = await eventsOf(t, async (service) => {
    service.stopClock();
    await service.addUser('ann');
    const [mine, ended, anns] = [
      await logIn(service.url),
      await logIn(service.url),
      await logIn(service.url, 'ann'),
    ];
    await call(service, ended, ended, 'DELETE');
    for (const dead of [ended, UNKNOWN, 'nonsense']) assert.equal((await call(service, dead)).status, 401);
    for (const other of [anns, UNKNOWN, 'nonsense'])
      assert.equal((await call(service, other, mine)).status, 404);
    assert.equal((await call(service, anns, mine, 'DELETE')).status, 404);
    service.shiftClock(3_600_000);
    for (let time = 0; time < 3; time += 1) assert.equal((await call(service, mine)).status, 401);
  });
  assert.deepEqual(refusedTickets(events), [
    '- expired 3',
    '- malformed 1',
    '- unknown 2',
    'admin foreign 2',
    'admin malformed 1',
    'admin unknown 1',
  ]);
});

test('a ticket of a locked user, and one that ended with all others, are counted with that reason', async (t) => {
  const store = new ChangedStore();
  const work = async (service: TestService) => {
    const ticket = await logIn(service.url);
    await store.aside(({ users }) => users.change(1, { lockedUntil: UNTIL_UNLOCKED }));
    assert.equal((await call(service, ticket)).status, 401);
    await store.aside(({ tickets }) => tickets.raiseServerGeneration());
    assert.equal((await call(service, ticket)).status, 401);
  };
  assert.deepEqual(refusedTickets(await eventsOf(t, work, store)), ['- invalid 1', '- suspended 1']);
});

test('a call without a credential makes no event', async (t) => {
  const events = await eventsOf(t, async ({ url }) => {
    assert.equal((await ask(`${url}/api/login/ticket/${UNKNOWN}`)).status, 401);
    assert.equal(
      (await ask(`${url}/api/login/ticket/${UNKNOWN}`, { headers: { authorization: 'Digest x' } })).status,
      401,
    );
    assert.equal((await ask(`${url}/nowhere`)).status, 404);
    assert.equal((await ask(`${url}/api/login`)).status, 400);
  });
  assert.deepEqual(events, []);
});

test('the event of a login that is refused because its user changed names the user', async (t) => {
  const store = new ChangedStore();
  const service = await startTestService(t, {}, () => store);
  // Before the unit that would issue the ticket reads its user again.
  store.change = ({ users, ...unit }) => ({
    ...unit,
    users: {
      ...users,
      async find(id) {
        await users.change(id, { passwordHash: 'another', generation: 1 });
        return users.find(id);
      },
    },
  });
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  assert.equal((await ask(`${service.url}/api/login`, { method: 'POST', body })).status, 403);
  const refused = (await store.aside((unit) => unit.events.list({}))).filter(
    ({ kind }) => kind === 'login-refused',
  );
  assert.deepEqual(
    refused.map(({ user, reason }) => [user, reason]),
    [['admin', 'changed meanwhile']],
  );
});

test('a logout of a ticket that another instance ends at that moment gets the same answer, and only that instance writes the event', async (t) => {
  const store = new ChangedStore();
  const events = await eventsOf(
    t,
    async (service) => {
      const ticket = await logIn(service.url);
      store.change = (unit) => withTickets(unit, { end: async () => false });
      assert.equal((await call(service, ticket, ticket, 'DELETE')).status, 200);
      const v1 = '/alfresco/api/-default-/public/authentication/versions/1/tickets/-me-';
      const { status } = await ask(`${service.url}${v1}?alf_ticket=${ticket}`, { method: 'DELETE' });
      assert.equal(status, 204);
    },
    store,
  );
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['login'],
  );
});
