import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';
import { ChangedStore, withEvents, withTickets } from './changed-store.ts';

const LOGIN = { method: 'POST', body: JSON.stringify({ username: 'admin', password: PASSWORD }) };

/** A service on a store that a test can make fail, and a ticket of its administrator. */
async function spoilable(t: TestContext) {
  const store = new ChangedStore();
  const service = await startTestService(t, {}, () => store);
  const ticket = await logIn(service.url);
  const path = `${service.url}/api/login/ticket/${ticket}`;
  const calls: Record<string, () => ReturnType<typeof ask>> = {
    'a login': () => ask(`${service.url}/api/login`, LOGIN),
    'a logout': () => ask(`${path}?alf_ticket=${ticket}&format=json`, { method: 'DELETE' }),
  };
  return {
    store,
    service,
    calls,
    isLive: async () => (await ask(`${path}?alf_ticket=${ticket}`)).status === 200,
  };
}

const kept = (store: ChangedStore) =>
  store.aside(async (unit) =>
    JSON.stringify([await unit.tickets.page(undefined, 100), await unit.events.list({})]),
  );

test('a change that cannot be committed is not answered as done', async (t) => {
  const { store, calls, isLive } = await spoilable(t);
  const before = await kept(store);
  store.commits = false;
  for (const call of ['a login', 'a logout']) assert.equal((await calls[call]?.())?.status, 503, call);
  store.commits = true;
  assert.equal(await kept(store), before);
  assert.equal(await isLive(), true);
});

test('the fault in the log names its request', async (t) => {
  const { store, service, calls } = await spoilable(t);
  store.change = (unit) => withTickets(unit, { end: () => Promise.reject(new Error('the cause')) });
  const { headers } = (await calls['a logout']?.()) ?? assert.fail();
  const fault = service.lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'fault');
  assert.equal(fault?.err?.message, 'the cause');
  assert.equal(fault?.id, headers.get('x-request-id'));
});

test('an event that cannot be written refuses neither a login nor a logout, and the fault is in the log', async (t) => {
  const { store, service, calls, isLive } = await spoilable(t);
  store.change = (unit) =>
    withEvents(unit, { append: () => Promise.reject(new Error('no room for events')) });
  assert.equal((await calls['a login']?.())?.status, 200);
  assert.equal((await calls['a logout']?.())?.status, 200);
  assert.equal(await isLive(), false);
  assert.equal(service.lines.filter((line) => line.includes('no room for events')).length, 2);
});

test('an event that cannot be written does not change a refused login', async (t) => {
  const { store, service } = await spoilable(t);
  store.change = (unit) =>
    withEvents(unit, { append: () => Promise.reject(new Error('no room for events')) });
  const body = JSON.stringify({ username: 'admin', password: 'wrong' });
  assert.equal((await ask(`${service.url}/api/login`, { method: 'POST', body })).status, 403);
});
