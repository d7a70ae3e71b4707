import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startNginx, whyNoNginx } from '../../../service/nginx.ts';
import { PASSWORD } from '../../../service/start.ts';
import { basic, ask as fetched } from '../../../service/talk.ts';
import {
  assertChallenged,
  assertCookiesWithoutTicket,
  assertLetThrough,
  forgedNames,
  type GuidedProxy,
  logInThrough,
  type Reached,
  startGuarded,
} from './guarded.ts';

const skip = whyNoNginx() ?? false;
const UNKNOWN = `TICKET_${'0'.repeat(40)}`;
const bearer = (ticket: string) => ({ authorization: `Bearer ${ticket}` });

const NGINX: GuidedProxy = {
  page: 'protect-a-service.md',
  language: 'nginx',
  uriHeader: 'X-Original-URI',
  inPlace: (ports) => ({
    'listen 8000': `listen ${ports.proxy}`,
    '^app\\.example\\.org': '^127\\.0\\.0\\.1',
    'server 127.0.0.1:8080': `server 127.0.0.1:${ports.gate}`,
    'http://127.0.0.1:3000': `http://127.0.0.1:${ports.protected}`,
  }),
  start: startNginx,
};

test('nginx lets a request with a live ticket through, and passes the user on to the protected service', {
  skip,
}, async (t) => {
  const guarded = await startGuarded(t, NGINX);
  const { ticket } = guarded;
  for (const [line, headers] of [
    ['GET /page', bearer(ticket)],
    ['GET /page', basic(`:${ticket}`)],
    [`GET /page?alf_ticket=${ticket}`, {}],
  ] as const)
    await assertLetThrough(guarded, line, headers);
});

test('clients log in through nginx, and pass the gate with that ticket', { skip }, async (t) => {
  const guarded = await startGuarded(t, NGINX);
  await assertLetThrough(guarded, 'GET /page', bearer(await logInThrough(guarded)));
});

test('a body goes to the protected service, and not to the gate', { skip }, async (t) => {
  const { ask, ticket, reached } = await startGuarded(t, NGINX);
  const body = 'x'.repeat(100_000);
  assert.equal((await ask('POST /form', { headers: bearer(ticket), body })).status, 200);
  assert.deepEqual([reached.at(-1)?.line, reached.at(-1)?.body], ['POST /form', body]);
});

test('nginx answers 401 with the challenge without a live ticket, and nothing reaches the protected service', {
  skip,
}, async (t) => {
  const guarded = await startGuarded(t, NGINX);
  const { ticket, reached, service } = guarded;
  const refused = (line: string, headers?: Record<string, string>) =>
    assertChallenged(guarded, line, headers);
  await refused('GET /page');
  await refused('GET /page', bearer(UNKNOWN));
  await refused('GET /page', basic(`Mia Müller:${PASSWORD}`));
  await refused(`GET /page?alf_ticket=${UNKNOWN}`);
  await refused('GET /page', { 'x-original-uri': `/page?alf_ticket=${ticket}` });
  await refused('GET /_gate/../page');
  await fetched(`${service.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, { method: 'DELETE' });
  await refused('GET /page', bearer(ticket));
  await refused(`GET /page?alf_ticket=${ticket}`);
  assert.deepEqual(reached, []);
});

test('the service has its own name alone: under another one the gate would decide by the rules of that', {
  skip,
}, async (t) => {
  const { ask, ticket, reached, url } = await startGuarded(t, NGINX);
  for (const target of ['/page', `${url}/page`]) {
    const headers = { ...bearer(ticket), host: 'other.example.org' };
    assert.equal((await ask(`GET ${target}`, { headers })).status, 421, target);
  }
  assert.deepEqual(reached, []);
});

test('the gate itself cannot be reached through nginx', { skip }, async (t) => {
  const { ask, ticket } = await startGuarded(t, NGINX);
  assert.equal((await ask('GET /_gate', { headers: bearer(ticket) })).status, 404);
});

test('nothing is let through while the store cannot answer, nor while the service is down: nginx answers 500', {
  skip,
}, async (t) => {
  const { ask, ticket, reached, service } = await startGuarded(t, NGINX);
  assert.equal((await ask('GET /page', { headers: bearer(ticket) })).status, 200);
  await service.store.close();
  assert.equal((await ask('GET /page', { headers: bearer(ticket) })).status, 500);
  await service.stop();
  assert.equal((await ask('GET /page', { headers: bearer(ticket) })).status, 500);
  assert.equal((await ask('GET /page')).status, 500);
  assert.equal(reached.length, 1);
});

for (const [limits, env] of [
  ['with', {}],
  ['without', { TESSERA_TICKET_AGE: 'off', TESSERA_TICKET_IDLE: 'off' }],
] as const) {
  test(`what a client sends under the gate’s names does not arrive, in either spelling, ${limits} limits on tickets`, {
    skip,
  }, async (t) => {
    const { ask, ticket, reached } = await startGuarded(t, NGINX, env);
    const forged = Object.fromEntries(forgedNames().map((name) => [name, 'admin']));
    assert.equal((await ask('GET /page', { headers: forged })).status, 401);
    assert.equal((await ask('GET /page', { headers: { ...forged, ...bearer(ticket) } })).status, 200);
    const [last] = reached as [Reached];
    assert.equal(reached.length, 1);
    const ours = last.headers.filter(([name]) => /^x.tessera/i.test(name));
    assert.deepEqual(
      ours.map(([name]) => name.toLowerCase()),
      limits === 'with' ? ['x-tessera-user', 'x-tessera-ticket-expires'] : ['x-tessera-user'],
    );
    assert.equal(ours[0]?.[1], 'Mia%20M%C3%BCller');
    assert.doesNotMatch(JSON.stringify(last.headers), /admin/);
  });
}

test('a browser’s cookies reach the protected service, but not its ticket', { skip }, async (t) => {
  await assertCookiesWithoutTicket(await startGuarded(t, NGINX));
});

test('no header by which a framework takes another path reaches the protected service behind nginx', {
  skip,
}, async (t) => {
  const { ask, ticket, reached } = await startGuarded(t, NGINX);
  const forged = { 'X-Original-URL': '/admin', 'X-Rewrite-URL': '/admin' };
  assert.equal((await ask('GET /page', { headers: { ...forged, ...bearer(ticket) } })).status, 200);
  assert.equal(reached.length, 1);
  assert.doesNotMatch(JSON.stringify(reached), /\/admin/);
});
