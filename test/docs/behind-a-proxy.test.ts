import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { Sent } from '../core/http/scenario.ts';
import { certified } from '../service/certified.ts';
import { freePort } from '../service/free-port.ts';
import { startNginx, whyNoNginx } from '../service/nginx.ts';
import { PASSWORD, startTestService, temporaryFolder } from '../service/start.ts';
import { until } from '../service/until.ts';
import { configurationOn } from './configuration.ts';

const skip = whyNoNginx() ?? false;
const LOGIN = `/alfresco/service/api/login?u=admin&pw=${PASSWORD}`;

/** The lines of the page about tries at the next instance. */
const OFF = 'proxy_next_upstream off;';

/** nginx as the page sets it up, in front of instances on these ports. `retry` has its lines about the next instance. */
async function startFront(t: TestContext, retry: string, ...instances: readonly (number | string)[]) {
  const folder = await temporaryFolder(t);
  const file = (name: string) => join(folder, name);
  const { ca, key, cert } = certified(t);
  writeFileSync(file('key'), key);
  writeFileSync(file('certificate'), cert);
  const port = await freePort();
  const configuration = configurationOn('behind-a-proxy.md', 'nginx', {
    'server 127.0.0.1:8080;': instances.map((instance) => `server 127.0.0.1:${instance};`).join('\n'),
    [OFF]: retry,
    'listen 443': `listen 127.0.0.1:${port}`,
    '/etc/nginx/tessera.pem': file('certificate'),
    '/etc/nginx/tessera.key': file('key'),
    '/var/log/nginx/tessera.log': file('access'),
    '/var/log/nginx/tessera-error.log': file('error'),
  });
  await startNginx(t, configuration, port);
  const authority = readFileSync(ca);
  return {
    port,
    logged: (name: 'access' | 'error') => readFileSync(file(name), 'utf8'),
    async ask(line: string, { headers = {}, body }: Sent = {}) {
      const [method, path] = line.split(' ');
      const sent = request({ host: '127.0.0.1', port, ca: authority, agent: false, method, path, headers });
      sent.end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: response.statusCode, headers: response.headers, text: await text(response) };
    },
  };
}

/** The same, in front of a service that believes it. */
async function startBehind(t: TestContext) {
  const service = await startTestService(t, { TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  return { service, ...(await startFront(t, OFF, Number(new URL(service.url).port))) };
}

const ticketIn = (answer: string) => /TICKET_\w+/.exec(answer)?.[0] ?? assert.fail(answer);

test('a page of its own logs in through nginx at whatever port, and counts for the address that nginx saw', {
  skip,
}, async (t) => {
  const { ask, port, service } = await startBehind(t);
  const { status } = await ask('POST /alfresco/service/api/login', {
    headers: { origin: `https://127.0.0.1:${port}`, 'x-forwarded-for': '203.0.113.7' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  });
  assert.equal(status, 200);
  const logged = service.lines.map((line) => JSON.parse(line)).find(({ user }) => user === 'admin');
  assert.equal(logged.address, '127.0.0.1');
});

test('a host that the client claims is not believed behind nginx', { skip }, async (t) => {
  const { ask } = await startBehind(t);
  const headers = { origin: 'https://elsewhere.example.org', 'x-forwarded-host': 'elsewhere.example.org' };
  assert.equal((await ask(`GET ${LOGIN}`, { headers })).status, 403);
});

test('nginx hands a path on as it was written', { skip }, async (t) => {
  const { ask } = await startBehind(t);
  const ticket = ticketIn((await ask(`GET ${LOGIN}`)).text);
  const validated = (path: string) => ask(`GET ${path}${ticket}?alf_ticket=${ticket}`);
  assert.equal((await validated('/alfresco/service/api/login/ticket/')).status, 200);
  assert.equal((await validated('/alfresco/service/api/login%2Fticket/')).status, 404);
  assert.equal((await validated('/alfresco/service//api/login/ticket/')).status, 404);
});

test('no password and no ticket is in the logs of nginx, those of a request that fails included', {
  skip,
}, async (t) => {
  const { ask, logged, service } = await startBehind(t);
  const login = await ask(`GET ${LOGIN}`);
  const ticket = ticketIn(login.text);
  await ask(`GET /alfresco/service/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
  await service.stop();
  assert.equal((await ask(`GET ${LOGIN}&alf_ticket=${ticket}`)).status, 502);
  await until('the requests are logged', () => logged('access').split('\n').length > 3);
  const written = logged('access') + logged('error');
  assert.ok(written.includes(` GET 200 `) && written.includes(` GET 502 `), written);
  assert.ok(written.includes(login.headers['x-request-id'] as string), written);
  for (const secret of [PASSWORD, ticket, 'api/login']) assert.ok(!written.includes(secret), written);
});

test('a login that breaks off at an instance is not given to the next one', { skip }, async (t) => {
  let tried = 0;
  const instance = createServer((socket) => {
    socket.once('data', () => {
      tried += 1;
      socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(instance, 'listening');
  t.after(() => instance.close());
  const { port } = instance.address() as AddressInfo;
  const { ask } = await startFront(t, OFF, port, port);
  assert.equal((await ask(`GET ${LOGIN}`)).status, 502);
  assert.equal(tried, 1);
});

test('with the lines for several instances no request fails while one of them is gone', {
  skip,
}, async (t) => {
  const page = readFileSync(new URL('../../docs/how-to/behind-a-proxy.md', import.meta.url), 'utf8');
  const [, server] = /^ {4}server \S+:8080( .*);$/m.exec(page) ?? assert.fail();
  const [lines] = /^proxy_connect_timeout .*\nproxy_next_upstream .*$/m.exec(page) ?? assert.fail();
  const service = await startTestService(t, { TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  const ports = [await freePort(), Number(new URL(service.url).port)].map((port) => `${port}${server}`);
  const { ask } = await startFront(t, lines, ...ports);
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  for (let asked = 0; asked < 4; asked += 1)
    assert.equal((await ask('POST /alfresco/service/api/login', { body })).status, 200);
});
