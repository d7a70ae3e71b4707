import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { ChangedStore } from './changed-store.ts';

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
});

/** A service, and how many units a request to it opens. */
async function counted(t: TestContext) {
  const store = new ChangedStore();
  const units = () => store.reads + store.writes;
  const { url } = await startTestService(t, {}, () => store);
  const ticket = await logIn(url);
  const ask = async (method: string, password: string, argument = '') => {
    const before = units();
    const headers = basic(password);
    const { status } = await fetch(`${url}/api/login/ticket/${ticket}${argument}`, { method, headers });
    return { status, units: units() - before };
  };
  return { ask, ticket };
}

test('a request with cached credentials is one unit', async (t) => {
  const { ask } = await counted(t);
  const first = await ask('GET', PASSWORD);
  assert.equal(first.status, 200);
  assert.ok(first.units > 1, 'the first one is hashed');
  assert.deepEqual(await ask('GET', PASSWORD), { status: 200, units: 1 });
  const wrong = await ask('GET', 'wrong');
  assert.equal(wrong.status, 401);
  assert.ok(wrong.units > 1, 'a failure is counted');
  const clearing = await ask('GET', PASSWORD);
  assert.equal(clearing.status, 200);
  assert.ok(clearing.units > 1, 'a success clears it');
  assert.deepEqual(await ask('GET', PASSWORD), { status: 200, units: 1 });
});

test('a live ticket beside a password is tried first, in the same unit', async (t) => {
  const { ask, ticket } = await counted(t);
  assert.deepEqual(await ask('GET', 'wrong', `?alf_ticket=${ticket}`), { status: 200, units: 1 });
});

test('beside a live ticket no password is checked, for a call that writes too', async (t) => {
  const { ask, ticket } = await counted(t);
  assert.deepEqual(await ask('DELETE', 'wrong', `?alf_ticket=${ticket}`), { status: 200, units: 2 });
});

test('a dead ticket beside a verified password costs no unit of its own', async (t) => {
  const { ask } = await counted(t);
  const alone = await ask('GET', 'wrong');
  const beside = await ask('GET', 'wrong', `?alf_ticket=TICKET_${'0'.repeat(40)}`);
  assert.deepEqual(beside, alone);
});

test('a logout with cached credentials needs no unit beside the one that writes', async (t) => {
  const { ask } = await counted(t);
  await ask('GET', PASSWORD);
  const { status, units } = await ask('DELETE', PASSWORD);
  assert.equal(status, 200);
  assert.ok(units > 1);
});
