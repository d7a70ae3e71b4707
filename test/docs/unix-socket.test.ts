import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startCaddy, whyNoCaddy } from '../service/caddy.ts';
import { certified } from '../service/certified.ts';
import { freePort } from '../service/free-port.ts';
import { startNginx, whyNoNginx } from '../service/nginx.ts';
import { PASSWORD, startTestService, temporaryFolder } from '../service/start.ts';
import { configurationOn } from './configuration.ts';
import { blocksIn, pageAt, partOf } from './page.ts';

const PART = partOf(pageAt('how-to/behind-a-proxy.md'), '## By a Unix socket');
const PATH = '/run/tessera/http.sock';
const LOGIN = `/alfresco/service/api/login?u=admin&pw=${PASSWORD}`;

/** The service as the page starts it, but in a folder of the test that the user of the proxy may enter. */
async function startService(t: TestContext) {
  const folder = await temporaryFolder(t);
  chmodSync(folder, 0o755);
  const [command = ''] = blocksIn(PART, 'sh');
  const printed = [...command.matchAll(/(TESSERA_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]);
  const { TESSERA_HOST: host, ...env } = Object.fromEntries(printed) as Record<string, string>;
  assert.equal(host, `unix:${PATH}`);
  const path = join(folder, 'http.sock');
  // A proxy that root starts works as a user of its own, who is in no group here.
  const reached = process.getuid?.() === 0 ? { TESSERA_SOCKET_MODE: '0666' } : {};
  const service = await startTestService(t, { ...env, ...reached, TESSERA_HOST: `unix:${path}` });
  const lastAddress = async () => {
    const events = await service.store.read((unit) => unit.events.list({ user: 'admin' }));
    return events.at(-1)?.from;
  };
  return { path, lastAddress };
}

/** Logs in through the proxy at this port, and claims an address. Resolves to the status. */
async function logIn(send: typeof request | typeof requestOverTls, port: number) {
  const headers = { host: 'tessera.example.org', 'x-forwarded-for': '203.0.113.7' };
  const to = { host: '127.0.0.1', port, rejectUnauthorized: false, agent: false };
  const [response] = (await once(send({ ...to, path: LOGIN, headers }).end(), 'response')) as [
    IncomingMessage,
  ];
  response.resume();
  return response.statusCode;
}

test('nginx reaches the service by its Unix socket, and clients keep their addresses', {
  skip: whyNoNginx() ?? false,
}, async (t) => {
  const { path, lastAddress } = await startService(t);
  const [line = ''] = blocksIn(PART, 'text');
  const folder = await temporaryFolder(t);
  const { key, cert } = certified(t);
  writeFileSync(join(folder, 'key'), key);
  writeFileSync(join(folder, 'certificate'), cert);
  const port = await freePort();
  const configuration = configurationOn('behind-a-proxy.md', 'nginx', {
    'server 127.0.0.1:8080;': line.trim().replace(PATH, path),
    'listen 443': `listen 127.0.0.1:${port}`,
    '/etc/nginx/tessera.pem': join(folder, 'certificate'),
    '/etc/nginx/tessera.key': join(folder, 'key'),
    '/var/log/nginx/tessera.log': join(folder, 'access'),
    '/var/log/nginx/tessera-error.log': join(folder, 'error'),
  });
  await startNginx(t, configuration, port);
  assert.equal(await logIn(requestOverTls, port), 200);
  assert.equal(await lastAddress(), '127.0.0.1');
});

test('Caddy reaches the service by its Unix socket, and clients keep their addresses', {
  skip: whyNoCaddy() ?? false,
}, async (t) => {
  const { path, lastAddress } = await startService(t);
  const port = await freePort();
  const [site = ''] = blocksIn(PART, 'caddyfile');
  const here = site
    .replace('tessera.example.org {\n', `http://tessera.example.org:${port} {\n\tbind 127.0.0.1\n`)
    .replace(`unix/${PATH}`, `unix/${path}`);
  assert.ok(here.includes(path) && here.includes('bind'), here);
  await startCaddy(t, here, port);
  assert.equal(await logIn(request, port), 200);
  assert.equal(await lastAddress(), '127.0.0.1');
});
