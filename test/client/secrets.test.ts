import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Client, Unreadable } from '../../src/client/client.ts';
import { json, type Received, scripted } from './scripted.ts';

const TICKET = `TICKET_${'a'.repeat(40)}`;
const ANA = { username: 'ana', password: 'ge"heim' };
const BASIC = `Basic ${btoa(`ROLE_TICKET:${TICKET}`)}`;

async function everyCall(url: string): Promise<unknown[]> {
  const client = new Client(url, { timeout: 5_000, patience: 0 });
  const mine = client.withTicket(TICKET);
  const calls = [client.login(ANA), mine.validate(), mine.logout(), mine.actionDefinitions()];
  return (await Promise.allSettled(calls)).flatMap((call) => ('reason' in call ? [call.reason] : []));
}

test('the password goes into the body of a POST, the ticket into the header and where the path has its place', async (t) => {
  const { url, received } = await scripted(t, { status: 400 });
  await everyCall(url);
  const sent = Object.fromEntries(received.map(({ line, ...rest }) => [line, rest]));
  const place = `/api/login/ticket/${TICKET}?format=json`;
  assert.deepEqual(Object.keys(sent).sort(), [
    `DELETE ${place}`,
    `GET ${place}`,
    'GET /api/rules/actiondefs',
    'POST /api/login',
  ]);
  for (const [line, { headers, body }] of Object.entries(sent)) {
    const isLogin = line.startsWith('POST');
    assert.equal(headers.authorization, isLogin ? undefined : BASIC, line);
    assert.equal(body, isLogin ? JSON.stringify(ANA) : '', line);
    assert.ok(!('cookie' in headers) && !('referer' in headers), line);
  }
});

test('nothing secret stands in what is thrown, nor in what a client shows of itself', async (t) => {
  const naming = ({ body }: Received) => {
    const { password = TICKET } = JSON.parse(body || '{}');
    return json({ message: `No ${password}`, detail: `No ${password} here` }, 404);
  };
  const inOtherPlaces = ({ headers, body }: Received) => {
    const { password = TICKET } = JSON.parse(body || '{}');
    return json({ code: password }, 404, { 'x-request-id': headers.authorization ?? password });
  };
  const echoing = ({ line, headers, body }: Received) =>
    json({ message: `No ${line}, ${headers.authorization}, ${body}` }, 404);
  for (const scene of [naming, echoing, inOtherPlaces, 'hang up' as const, { status: 200, body: TICKET }]) {
    const { url } = await scripted(t, scene);
    const thrown = await everyCall(url);
    assert.equal(thrown.length, 4);
    for (const error of thrown) assert.doesNotMatch(inspect(error, { depth: 9 }), /heim|TICKET_a|Basic/);
  }
  const mine = new Client('https://host').withTicket(TICKET);
  assert.doesNotMatch(inspect(mine, { depth: 9, showHidden: true }) + JSON.stringify(mine), /TICKET_a/);
});

test('a redirection is not followed: no other host is told a password or a ticket', async (t) => {
  const elsewhere = await scripted(t, json({ data: { ticket: TICKET } }));
  for (const status of [301, 302, 303, 307, 308]) {
    const headers = { location: `${elsewhere.url}/api/login` };
    const { url, received } = await scripted(t, { status, headers });
    const thrown = await everyCall(url);
    assert.equal(thrown.length, 4);
    for (const error of thrown) {
      assert.ok(error instanceof Unreadable, `${error}`);
      assert.match(error.message, /redirects: check the base URL/);
    }
    assert.equal(received.length, 4, 'each call is sent once');
  }
  assert.deepEqual(elsewhere.received, []);
});
