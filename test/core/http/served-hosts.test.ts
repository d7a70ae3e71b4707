import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ServedHosts } from '../../../src/core/http/host.ts';
import { readSettings } from '../../../src/main/settings.ts';
import { freePort } from '../../service/free-port.ts';
import { startTestService } from '../../service/start.ts';
import { Connection, converse } from './connection.ts';

const MESSAGE =
  'This host is not served here: add it to TESSERA_HOSTS or, if a proxy passed it on, name the proxy in TESSERA_TRUSTED_PROXIES';
const UNSET = { TESSERA_HOSTS: '' };
const ELSEWHERE = { TESSERA_HOST: '0.0.0.0', TESSERA_INSECURE_HTTP: 'true' };
const PROXY = { TESSERA_TRUSTED_PROXIES: '127.0.0.1' };

/** Asks for this host, by a plain request and by another one. */
async function statusFor(url: string, host: string, fields = '', path = '/api/server'): Promise<number> {
  const at = url.replace('0.0.0.0', '127.0.0.1');
  const bytes = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${fields}`;
  const plain = await converse(at, `${bytes}\r\nGET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const [carried] = await converse(at, `${bytes}Connection: close\r\n\r\n`);
  assert.equal(plain[0]?.status, carried?.status, host);
  if (carried?.status === 421) assert.equal(JSON.parse(carried.text).message, MESSAGE);
  return carried?.status ?? 0;
}

async function serving(t: TestContext, env: Record<string, string>) {
  const { url } = await startTestService(t, { ...UNSET, ...env });
  return (host: string, fields = '', path?: string) => statusFor(url, host, fields, path);
}

test('on a loopback address the loopback names are served, and no other host', async (t) => {
  const ask = await serving(t, {});
  for (const host of [
    'localhost',
    'LOCALHOST:8080',
    'localhost.',
    '127.0.0.1',
    '127.1.2.3:1',
    '[::1]',
    '[::1]:8080',
  ])
    assert.equal(await ask(host), 200, host);
  for (const host of [
    'rebound.example.org',
    'localhost.example.org',
    '10.0.0.1',
    '127.0.0.1.example.org',
    '[::2]',
    '0.0.0.0',
  ])
    assert.equal(await ask(host), 421, host);
});

test('on another address every host is served', async (t) => {
  const ask = await serving(t, ELSEWHERE);
  assert.equal(await ask('any.example.org'), 200);
});

test('with TESSERA_HOSTS those hosts are served and no other, whatever the address', async (t) => {
  for (const env of [{}, ELSEWHERE, PROXY]) {
    const ask = await serving(t, { ...env, TESSERA_HOSTS: 'Tickets.example.org, ::1' });
    for (const host of ['tickets.example.org', 'TICKETS.example.org:8443', 'tickets.example.org.', '[::1]:1'])
      assert.equal(await ask(host), 200, host);
    for (const host of ['example.org', 'localhost', '127.0.0.1']) assert.equal(await ask(host), 421, host);
  }
});

test('a trusted proxy is believed when it names the host, and nobody else is', async (t) => {
  const forwarded = 'X-Forwarded-Host: tickets.example.org\r\n';
  const unlisted = await serving(t, PROXY);
  assert.equal(await unlisted('any.example.org'), 200);
  const listed = await serving(t, { ...PROXY, TESSERA_HOSTS: 'tickets.example.org' });
  assert.equal(await listed('127.0.0.1:8080', forwarded), 200);
  assert.equal(await listed('tickets.example.org', 'X-Forwarded-Host: other.example.org\r\n'), 421);
  assert.equal(await listed('other.example.org', 'X-Forwarded-Host: \r\n'), 421);
  const untrusting = await serving(t, { TESSERA_HOSTS: 'tickets.example.org' });
  assert.equal(await untrusting('127.0.0.1:8080', forwarded), 421);
});

test('only a trusted proxy may ask the gate about any host', async (t) => {
  const listed = { TESSERA_HOSTS: 'tickets.example.org' };
  const trusting = await serving(t, { ...PROXY, ...listed });
  assert.equal(await trusting('app.example.org', '', '/gate'), 401);
  assert.equal(await trusting('app.example.org'), 421);
  const untrusting = await serving(t, listed);
  assert.equal(await untrusting('app.example.org', '', '/gate'), 421);
});

test('the host of a target in absolute form counts, and HTTP/1.0 may name none', async (t) => {
  const { url } = await startTestService(t, UNSET);
  const status = async (bytes: string) => (await converse(url, bytes))[0]?.status;
  const end = 'Connection: close\r\n\r\n';
  assert.equal(
    await status(`GET http://evil.example.org/api/server HTTP/1.1\r\nHost: localhost\r\n${end}`),
    421,
  );
  assert.equal(
    await status(`GET http://localhost/api/server HTTP/1.1\r\nHost: evil.example.org\r\n${end}`),
    200,
  );
  assert.equal(await status('GET /api/server HTTP/1.0\r\n\r\n'), 200);
  assert.equal(await status('GET /api/server HTTP/1.0\r\nHost: evil.example.org\r\n\r\n'), 421);
});

test('the metrics port has its own hosts: on an address other than loopback it also serves every IP address, for probes', async (t) => {
  const metrics = async (env: Record<string, string>) => {
    const port = String(await freePort());
    const { metricsUrl = '' } = await startTestService(t, { ...UNSET, TESSERA_METRICS_PORT: port, ...env });
    const at = metricsUrl.replace('0.0.0.0', '127.0.0.1');
    return async (host: string) => {
      const bytes = `GET /health/live HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      const [head = ''] = (await fetchHead(at, bytes)).split('\r\n');
      return Number(head.split(' ')[1]);
    };
  };
  const everywhere = { TESSERA_METRICS_HOST: '0.0.0.0' };
  const listed = { TESSERA_HOSTS: 'tickets.example.org' };
  const cases: readonly [Record<string, string>, string, number][] = [
    [{}, 'localhost:9464', 200],
    [{}, 'evil.example.org', 421],
    [{}, '10.244.1.2:9464', 421],
    [listed, 'tickets.example.org', 200],
    [listed, '127.0.0.1:9464', 200],
    [everywhere, 'any.example.org', 200],
    [{ ...everywhere, ...listed }, '10.244.1.2:9464', 200],
    [{ ...everywhere, ...listed }, '[fd00::7]:9464', 200],
    [{ ...everywhere, ...listed }, 'localhost', 200],
    [{ ...everywhere, ...listed }, 'evil.example.org', 421],
  ];
  for (const [env, host, status] of cases)
    assert.equal(await (await metrics(env))(host), status, `${JSON.stringify(env)} ${host}`);
});

async function fetchHead(url: string, bytes: string): Promise<string> {
  const connection = await Connection.open(url);
  connection.say(bytes);
  return connection.untilClosed();
}

test('before the port is open no host is served, and the number of cached values is limited', () => {
  const hosts = new ServedHosts({ listed: [], anyAddress: false });
  assert.equal(hosts.serves('localhost'), false);
  hosts.boundTo('http://127.0.0.1:8080');
  for (let port = 1; port <= 1_000; port += 1) assert.equal(hosts.serves(`localhost:${port}`), true);
  assert.equal(hosts.serves('evil:1'), false);
});

test('a host in TESSERA_HOSTS has no scheme, no port and no wildcard', () => {
  for (const host of ['https://tickets.example.org', 'tickets.example.org:8443', '*.example.org', 'a b'])
    assert.throws(() => readSettings({ flags: {}, env: { TESSERA_HOSTS: host } }), {
      faults: [
        `TESSERA_HOSTS: "${host}" is no host: write one without scheme and port, such as tickets.example.org`,
      ],
    });
});
