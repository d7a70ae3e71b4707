import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { WrittenRule } from '../../../../src/capabilities/proxy-gate/rules/document.ts';
import { exchange } from '../../../core/http/scenario.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { addAppPassword } from '../../../service/app-passwords.ts';
import { logIn } from '../../../service/talk.ts';
import { STEP, withApp } from '../../factors/pages/second-factor-browse.ts';
import { bearer } from './asking.ts';
import { forwarded, startRuled } from './ruled.ts';

const MINUTE = 60_000;
const NAVIGATION = { 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html' };

const RULES: readonly WrittenRule[] = [
  { path: '/fresh', allow: 'signed-in', fresh: '15m' },
  { path: '/second', allow: 'signed-in', factor: 'second' },
  { path: '/passkey', allow: 'signed-in', factor: 'passkey' },
  { path: '/strict', allow: { groups: ['editors'] }, factor: 'second', fresh: 'PT1H' },
  { allow: 'signed-in' },
];

/** A gate that Anna asks, who has an authenticator app, and whose ticket is of a password alone. */
async function startGate(t: TestContext) {
  const ruled = await startRuled(t, RULES);
  const { service } = ruled;
  const anna = await withApp(service);
  const cookie = () =>
    `__Host-tessera=${[...anna.visitor.cookies.values()].find((value) => value.startsWith('TICKET_'))}`;
  /** What the gate answers to a browser with Anna's ticket. */
  const browse = (path: string) => ruled.ask(`GET x${path}`, undefined, { ...NAVIGATION, cookie: cookie() });
  return { ...ruled, anna, browse };
}

const back = (path: string, need: string) =>
  `https://x/portal/login?again=yes&needs=${need}&return=${encodeURIComponent(path)}`;

test('a sign-in that is too long ago is not enough: a browser signs in again and returns, a program gets 401', async (t) => {
  const { ask, service, tickets } = await startRuled(t, RULES);
  service.stopClock();
  const mia = (headers = {}) => ask('GET x/fresh?a=1', undefined, { ...bearer(tickets.mia), ...headers });
  assert.equal((await mia()).status, 204);
  service.shiftClock(16 * MINUTE);
  const heard = await mia();
  assert.equal(heard.status, 401);
  assert.match(JSON.parse(heard.text).message, /it needs a sign-in not longer ago than 15m$/);
  assert.match(String(heard.headers['www-authenticate']), /error="insufficient_user_authentication"$/);
  assert.equal((await ask('GET x/other', 'mia')).status, 204);
  const browser = await mia(NAVIGATION);
  assert.deepEqual([browser.status, browser.headers.location], [302, back('/fresh?a=1', 'fresh')]);
  const page = await exchange(service.url, 'GET /portal/login?again=yes&needs=fresh');
  assert.match(page.text, /Your sign-in is too long ago for this page\./);
  const fresh = await logIn(service.url, 'mia');
  assert.equal((await ask('GET x/fresh', undefined, bearer(fresh))).status, 204);
});

test('nginx is given 401 with the way to the sign-in that is enough', async (t) => {
  const { service, tickets } = await startRuled(t, RULES, { TESSERA_GATE_URI_HEADER: 'X-Original-URL' });
  service.stopClock();
  service.shiftClock(16 * MINUTE);
  const told = { 'X-Original-Method': 'GET', 'X-Original-URL': 'https://x/fresh' };
  const headers = { ...told, ...NAVIGATION, ...bearer(tickets.mia) };
  const heard = await exchange(service.url, 'GET /gate', { headers });
  assert.deepEqual([heard.status, heard.headers.location], [401, back('/fresh', 'fresh')]);
});

test('who signed in by password alone gives the second factor, and is let through', async (t) => {
  const { anna, browse } = await startGate(t);
  assert.equal((await browse('/other')).status, 204);
  anna.pass(2 * MINUTE);
  const { status, headers } = await browse('/second');
  assert.deepEqual([status, headers.location], [302, back('/second', 'second')]);
  await anna.visitor.signIn('anna');
  await anna.visitor.send(STEP, STEP, { code: anna.code() });
  assert.equal((await browse('/second')).status, 204);
  assert.equal((await browse('/fresh')).status, 204);
  // The code is no passkey. Who comes from such a sign-in is not sent there again, but reads why.
  const refused = await browse('/passkey');
  assert.equal(refused.status, 403);
  const { text, links } = readPage(refused.text);
  assert.match(text, /This page needs a sign-in with a passkey\./);
  assert.ok(links.some(({ to }) => to === 'https://x/portal/account'));
  assert.ok(links.some((link) => link.text === 'Sign in again'));
});

test('who has no second factor reads where to add one, and a program what is missing', async (t) => {
  const { ask, service } = await startRuled(t, RULES);
  service.stopClock();
  service.shiftClock(2 * MINUTE);
  const page = await ask('GET x/second', 'ben', NAVIGATION);
  assert.equal(page.status, 403);
  assert.match(readPage(page.text).text, /add one there if you have none/);
  const program = await ask('GET x/second', 'ben');
  assert.equal(program.status, 403);
  assert.match(JSON.parse(program.text).message, /it needs a sign-in with a second factor$/);
  const group = await ask('GET x/strict', 'ben');
  assert.match(JSON.parse(group.text).message, /one of the groups editors$/);
});

test('the ticket of a program is no sign-in of a person, however new it is', async (t) => {
  const { service } = await startRuled(t, RULES);
  const ticket = await logIn(service.url, 'mia', await addAppPassword(service.store, 'mia'));
  const statuses: number[] = [];
  for (const path of ['/fresh', '/second', '/other']) {
    const headers = { ...forwarded(`GET x${path}`), ...bearer(ticket) };
    statuses.push((await exchange(service.url, 'GET /gate', { headers })).status);
  }
  assert.deepEqual(statuses, [401, 403, 204]);
});
