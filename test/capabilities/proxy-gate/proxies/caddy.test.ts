import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCaddy, whyNoCaddy } from '../../../service/caddy.ts';
import { PASSWORD } from '../../../service/start.ts';
import { ask as fetched } from '../../../service/talk.ts';
import {
  assertChallenged,
  assertCookiesWithoutTicket,
  assertLetThrough,
  forgedNames,
  type GuidedProxy,
  logInThrough,
  startGuarded,
} from './guarded.ts';

const skip = whyNoCaddy() ?? false;
const bearer = (ticket: string) => ({ authorization: `Bearer ${ticket}` });

const CADDY: GuidedProxy = {
  page: 'protect-a-service.md',
  language: 'caddyfile',
  uriHeader: 'X-Forwarded-Uri',
  inPlace: (ports) => ({
    'app.example.org': `http://127.0.0.1:${ports.proxy}`,
    'forward_auth 127.0.0.1:8080': `forward_auth 127.0.0.1:${ports.gate}`,
    'reverse_proxy /alfresco/* 127.0.0.1:8080': `reverse_proxy /alfresco/* 127.0.0.1:${ports.gate}`,
    'reverse_proxy 127.0.0.1:3000': `reverse_proxy 127.0.0.1:${ports.protected}`,
  }),
  start: startCaddy,
};

test('Caddy lets a request with a live ticket through, and passes the user on to the protected service', {
  skip,
}, async (t) => {
  const guarded = await startGuarded(t, CADDY);
  const { ticket } = guarded;
  for (const [line, headers] of [
    ['GET /page', bearer(ticket)],
    [`GET /page?alf_ticket=${ticket}`, {}],
    // A client must not use the removal of names to remove the user.
    ['GET /page', { ...bearer(ticket), connection: 'close, X-Tessera-User' }],
  ] as const)
    await assertLetThrough(guarded, line, headers);
});

test('clients log in through Caddy, and pass the gate with that ticket', { skip }, async (t) => {
  const guarded = await startGuarded(t, CADDY);
  await assertLetThrough(guarded, 'GET /page', bearer(await logInThrough(guarded)));
});

test('Caddy answers 401 with the challenge without a live ticket, and nothing reaches the protected service', {
  skip,
}, async (t) => {
  const guarded = await startGuarded(t, CADDY);
  const { ticket, reached, service } = guarded;
  const refused = (line: string, headers?: Record<string, string>) =>
    assertChallenged(guarded, line, headers);
  await refused('GET /page');
  await refused('GET /page', { authorization: `Basic ${btoa(`admin:${PASSWORD}`)}` });
  await refused('GET /page', { 'x-forwarded-uri': `/page?alf_ticket=${ticket}` });
  await fetched(`${service.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, { method: 'DELETE' });
  await refused('GET /page', bearer(ticket));
  assert.deepEqual(reached, []);
});

test('what a client sends under the names of the gate, or what may be read as them, never arrives behind Caddy', {
  skip,
}, async (t) => {
  const { ask, ticket, reached } = await startGuarded(t, CADDY);
  const forged = Object.fromEntries(forgedNames().map((name) => [name, 'admin']));
  assert.equal((await ask('GET /page', { headers: forged })).status, 401);
  assert.equal((await ask('GET /page', { headers: { ...forged, ...bearer(ticket) } })).status, 200);
  assert.equal(reached.length, 1);
  assert.doesNotMatch(JSON.stringify(reached), /admin/);
});

test('nothing is let through by Caddy while the store cannot answer, nor while the service is down', {
  skip,
}, async (t) => {
  const { ask, ticket, reached, service } = await startGuarded(t, CADDY);
  await service.store.close();
  assert.equal((await ask('GET /page', { headers: bearer(ticket) })).status, 503);
  await service.stop();
  assert.equal((await ask('GET /page', { headers: bearer(ticket) })).status, 502);
  assert.deepEqual(reached, []);
});

test('a browser’s cookies reach the protected service, but not its ticket', { skip }, async (t) => {
  await assertCookiesWithoutTicket(await startGuarded(t, CADDY));
});

test('no header by which a framework takes another path reaches the protected service behind Caddy', {
  skip,
}, async (t) => {
  const { ask, ticket, reached } = await startGuarded(t, CADDY);
  const forged = { 'X-Original-URL': '/admin', 'X-Rewrite-URL': '/admin' };
  assert.equal((await ask('GET /page', { headers: { ...forged, ...bearer(ticket) } })).status, 200);
  assert.equal(reached.length, 1);
  assert.doesNotMatch(JSON.stringify(reached), /\/admin/);
});
