import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { exchange, type Heard, type Sent } from '../http/scenario.ts';
import { freePort } from '../service/free-port.ts';
import { startNginx, whyNoNginx } from '../service/nginx.ts';
import { PASSWORD, startTestService, type TestService } from '../service/start.ts';
import { basic, ask as fetched, logIn } from '../service/talk.ts';

const skip = whyNoNginx() ?? false;
const PAGE = readFileSync(new URL('../../docs/guide/gate-nginx.md', import.meta.url), 'utf8');
const UNKNOWN = `TICKET_${'0'.repeat(40)}`;
const bearer = (ticket: string) => ({ authorization: `Bearer ${ticket}` });

/** What reached the protected service: headers with their names as they stood on the wire. */
interface Reached {
  readonly line: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** The protected service, which notes what reaches it. */
async function startProtected(t: TestContext): Promise<{ port: number; reached: Reached[] }> {
  const reached: Reached[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = request.rawHeaders;
    const headers = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
    reached.push({
      line: `${request.method} ${request.url}`,
      headers,
      body: Buffer.concat(chunks).toString(),
    });
    response.end('the protected page');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, reached };
}

/** The configuration on the page, with the ports of this test in place of those that it shows. */
function configurationOf(ports: Record<string, number>): string {
  const [, shown = ''] = /^```nginx\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];
  return Object.entries(ports).reduce((text, [written, port]) => {
    assert.equal(text.split(written).length, 2, `${written} stands once on the page`);
    return text.replace(written, written.replace(/\d+$/, String(port)));
  }, shown);
}

interface Guarded {
  readonly service: TestService;
  readonly ticket: string;
  readonly reached: Reached[];
  ask(line: string, sent?: Sent): Promise<Heard>;
}

/** A protected service behind a real nginx that asks the gate, set up as the page says. */
async function startGuarded(t: TestContext, env: Record<string, string> = {}): Promise<Guarded> {
  const trusted = { TESSERA_TRUSTED_PROXIES: '127.0.0.1', TESSERA_GATE_URI_HEADER: 'X-Original-URI' };
  const service = await startTestService(t, { ...trusted, ...env });
  await service.addUser('Mia Müller');
  const ticket = await logIn(service.url, 'Mia Müller');
  const { port, reached } = await startProtected(t);
  const listen = await freePort();
  const http = configurationOf({
    'listen 8000': listen,
    'server 127.0.0.1:8080': Number(new URL(service.url).port),
    'http://127.0.0.1:3000': port,
  });
  const url = await startNginx(t, http, listen);
  return { service, ticket, reached, ask: (line, sent) => exchange(url, line, sent) };
}

const valuesOf = ({ headers }: Reached, pattern: RegExp) =>
  headers.filter(([name]) => pattern.test(name)).map(([, value]) => value);

test('nginx lets a request with a live ticket through, and tells the protected service whose it is', {
  skip,
}, async (t) => {
  const { ask, ticket, reached } = await startGuarded(t);
  for (const [line, headers] of [
    ['GET /page', bearer(ticket)],
    ['GET /page', basic(`:${ticket}`)],
    [`GET /page?alf_ticket=${ticket}`, {}],
  ] as const) {
    const { status, text } = await ask(line, { headers });
    assert.deepEqual([status, text], [200, 'the protected page']);
    const last = reached.at(-1) as Reached;
    assert.equal(last.line, line);
    assert.deepEqual(valuesOf(last, /^x-tessera-user$/i), ['Mia%20M%C3%BCller']);
    const [expires = ''] = valuesOf(last, /^x-tessera-ticket-expires$/i);
    assert.ok(Date.parse(expires) > Date.now(), expires);
    assert.deepEqual(valuesOf(last, /^authorization$/i), []);
  }
});

test('a body goes to the protected service, and not to the gate', { skip }, async (t) => {
  const { ask, ticket, reached } = await startGuarded(t);
  const body = 'x'.repeat(100_000);
  assert.equal((await ask('POST /form', { headers: bearer(ticket), body })).status, 200);
  assert.deepEqual([reached.at(-1)?.line, reached.at(-1)?.body], ['POST /form', body]);
});

test('nginx answers 401 with the challenge without a live ticket, and nothing reaches the protected service', {
  skip,
}, async (t) => {
  const { ask, ticket, reached, service } = await startGuarded(t);
  const refused = async (line: string, headers: Record<string, string> = {}) => {
    const heard = await ask(line, { headers });
    assert.equal(heard.status, 401);
    assert.equal(heard.headers['www-authenticate'], 'Basic realm="Tessera"');
  };
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

test('the gate itself is not to be had through nginx', { skip }, async (t) => {
  const { ask, ticket } = await startGuarded(t);
  assert.equal((await ask('GET /_gate', { headers: bearer(ticket) })).status, 404);
});

test('nothing is let through while the store cannot answer, nor while the service is down: nginx answers 500', {
  skip,
}, async (t) => {
  const { ask, ticket, reached, service } = await startGuarded(t);
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
    const { ask, ticket, reached } = await startGuarded(t, env);
    const forged = {
      'X-Tessera-User': 'admin',
      X_Tessera_User: 'admin',
      'x-tessera_user': 'admin',
      'X-TESSERA-USER': 'admin',
      'X-Tessera-Ticket-Expires': '2999-01-01T00:00:00Z',
      X_Tessera_Ticket_Expires: '2999-01-01T00:00:00Z',
    };
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
    assert.doesNotMatch(JSON.stringify(last.headers), /admin|2999/);
  });
}
