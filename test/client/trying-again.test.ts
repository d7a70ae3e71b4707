import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, Unreachable, Unreadable } from '../../src/client/client.ts';
import { until } from '../service/until.ts';
import { refusedWith } from './refused.ts';
import { json, scripted } from './scripted.ts';

const TICKET = `TICKET_${'a'.repeat(40)}`;
const VALID = json({ data: { ticket: TICKET } });
const UNAVAILABLE = { status: 503, headers: { 'retry-after': '0' } };
const ANA = { username: 'ana', password: 'geheim' };

test('a read is tried again while the server is unavailable, or gives no answer', async (t) => {
  for (const scenes of [
    [UNAVAILABLE, UNAVAILABLE, VALID],
    ['hang up', VALID],
    [{ status: 503 }, 'hang up', VALID],
    [{ status: 503, headers: { 'retry-after': new Date(0).toUTCString() } }, VALID],
  ] as const) {
    const { url, received } = await scripted(t, ...scenes);
    assert.deepEqual(await new Client(url).withTicket(TICKET).validate(), { ticket: TICKET });
    assert.equal(received.length, scenes.length);
  }
});

test('a read fails after the third try', async (t) => {
  const { url, received } = await scripted(t, UNAVAILABLE);
  const refusal = await refusedWith('unnamed', new Client(url).withTicket(TICKET).actionDefinitions());
  assert.deepEqual([refusal.status, refusal.retryAfter], [503, 0]);
  assert.equal(received.length, 3);
  const silent = await scripted(t, 'hang up');
  await assert.rejects(new Client(silent.url).withTicket(TICKET).validate(), Unreachable);
  assert.equal(silent.received.length, 3);
});

test('whatever the platform throws without an answer, the caller gets the same error, with its cause', async () => {
  for (const why of [new TypeError('fetch failed'), new Error('ConnectionRefused'), 'down']) {
    let tries = 0;
    const fetch = () => {
      tries += 1;
      return Promise.reject(why);
    };
    const mine = new Client('http://127.0.0.1:1', { fetch }).withTicket(TICKET);
    const heard = await mine.validate().catch((error: unknown) => error);
    assert.ok(heard instanceof Unreachable);
    assert.deepEqual([heard.cause, tries], [why, 3]);
  }
});

test('the client does not wait longer than its patience: the caller decides', async (t) => {
  for (const after of ['6', new Date(Date.now() + 3_600_000).toUTCString()]) {
    const { url, received } = await scripted(t, { status: 503, headers: { 'retry-after': after } }, VALID);
    const refusal = await refusedWith('unnamed', new Client(url).withTicket(TICKET).validate());
    assert.ok(Number(refusal.retryAfter) >= 6);
    assert.equal(received.length, 1);
  }
});

test('other refusals are not tried again', async (t) => {
  for (const status of [400, 401, 403, 404, 500, 502]) {
    const { url, received } = await scripted(t, { status }, VALID);
    await refusedWith('unnamed', new Client(url).withTicket(TICKET).validate());
    assert.equal(received.length, 1);
  }
});

test('a login and a logout are sent once, whatever becomes of them', async (t) => {
  for (const scene of [UNAVAILABLE, 'hang up'] as const) {
    const { url, received } = await scripted(t, scene);
    const client = new Client(url);
    await assert.rejects(client.login(ANA));
    await assert.rejects(client.withTicket(TICKET).logout());
    assert.deepEqual(
      received.map(({ line }) => line.split(' ')[0]),
      ['POST', 'DELETE'],
    );
  }
});

test('a call ends with its deadline, also while it waits for a further try', async (t) => {
  const late = { name: 'TimeoutError' };
  const silent = await scripted(t, 'say nothing');
  await assert.rejects(new Client(silent.url, { timeout: 50 }).withTicket(TICKET).validate(), late);
  await assert.rejects(new Client(silent.url, { timeout: 50 }).login(ANA), late);
  const busy = await scripted(t, { status: 503, headers: { 'retry-after': '4' } });
  await assert.rejects(new Client(busy.url, { timeout: 1_000 }).withTicket(TICKET).validate(), late);
  assert.equal(busy.received.length, 1);
});

test('a call ends with the signal that it was given, for its reason', async (t) => {
  const { url, received } = await scripted(t, 'say nothing');
  const mine = new Client(url).withTicket(TICKET);
  const reason = new Error('had enough');
  const given = new AbortController();
  const call = mine.actionDefinitions({}, { signal: given.signal });
  await until('it was asked', () => received.length === 1);
  given.abort(reason);
  await assert.rejects(call, reason);
  const before = received.length;
  await assert.rejects(mine.logout({ signal: AbortSignal.abort(reason) }), reason);
  await assert.rejects(new Client(url).login(ANA, { signal: AbortSignal.abort(reason) }), reason);
  assert.equal(received.length, before);
});

test('a call that is aborted while its answer arrives is not tried again', async () => {
  const reason = new Error('had enough');
  const given = new AbortController();
  let tries = 0;
  const fetch = async () => {
    tries += 1;
    given.abort(reason);
    return new Response('', { status: 503, headers: { 'retry-after': '0' } });
  };
  const mine = new Client('http://127.0.0.1:1', { fetch }).withTicket(TICKET);
  await assert.rejects(mine.validate({ signal: given.signal }), reason);
  assert.equal(tries, 1);
});

test('an answer that is none of this API is never taken for a yes', async (t) => {
  const page = {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<h1>Welcome to the Wi-Fi</h1>',
  };
  for (const scene of [page, json({}), json({ data: { ticket: '' } }), json(null), { status: 204 }]) {
    const { url } = await scripted(t, scene);
    const mine = new Client(url).withTicket(TICKET);
    await assert.rejects(new Client(url).login(ANA), Unreadable);
    await assert.rejects(mine.validate(), Unreadable);
    await assert.rejects(mine.logout(), Unreadable);
    await assert.rejects(mine.actionDefinitions(), Unreadable);
  }
  const { url } = await scripted(t, json({ data: { ticket: 'TICKET_another' } }));
  await assert.rejects(new Client(url).withTicket(TICKET).validate(), Unreadable);
});
