import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ServedHosts } from '../../../src/core/http/host.ts';
import { listen } from '../../../src/core/http/listen.ts';
import { buildMetricsServer } from '../../../src/core/http/metrics-server.ts';
import { StoreUnavailable } from '../../../src/core/storage/store.ts';
import { afterwards } from '../../service/afterwards.ts';
import { freePort } from '../../service/free-port.ts';
import { PATIENCE } from '../../service/patience.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { basic, logIn } from '../../service/talk.ts';
import { exchange, WRONG } from './scenario.ts';
import { UnrulyStore } from './unruly-store.ts';

async function start(t: TestContext) {
  const unruly = new UnrulyStore();
  const service = await startTestService(t, { TESSERA_METRICS_PORT: String(await freePort()) }, unruly.open);
  const metricsUrl = service.metricsUrl ?? assert.fail('there is no metrics port');
  return { ...service, unruly, metricsUrl };
}

test('the metrics port', async (t) => {
  const { url, metricsUrl, unruly } = await start(t);
  const operation = (name: string) => `operation="org/service/repository/${name}"`;
  /** The value of a metric, 0 before it is first counted. */
  const valueNow = async (name: string, labels = '') => {
    const { text } = await exchange(metricsUrl, 'GET /metrics');
    const line = text
      .split('\n')
      .find((candidate) => candidate.startsWith(`${name}${labels && `{${labels}}`} `));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  const requests = (name: string, outcome: string) =>
    valueNow(
      'tessera_requests_total',
      `${name === 'none' ? 'operation="none"' : operation(name)},outcome="${outcome}"`,
    );

  await t.test('tells that the service lives and is ready', async () => {
    assert.deepEqual((({ status, text }) => [status, text])(await exchange(metricsUrl, 'GET /health/live')), [
      200,
      'live\n',
    ]);
    assert.equal((await exchange(metricsUrl, 'GET /health/ready')).status, 200);
  });

  await t.test('tells that the service lives and is not ready while its store cannot answer', async () => {
    unruly.readFault = new StoreUnavailable('the disk is gone');
    const { text } = await exchange(metricsUrl, 'GET /metrics');
    assert.match(text, /^tessera_ready 0$/m);
    const [live, ready] = [
      await exchange(metricsUrl, 'GET /health/live'),
      await exchange(metricsUrl, 'GET /health/ready'),
    ];
    unruly.readFault = undefined;
    assert.equal(live.status, 200);
    assert.equal(ready.status, 503);
    assert.equal((await exchange(metricsUrl, 'GET /health/ready')).status, 200);
  });

  await t.test('tells the outcomes that an alert is for before they are counted first', async () => {
    const { text } = await exchange(metricsUrl, 'GET /metrics');
    for (const where of [operation('loginticket.get'), operation('gate.get'), 'operation="none"'])
      for (const outcome of ['internal', 'store_unavailable', 'hash_queue_full', 'passwords_unavailable'])
        assert.match(text, new RegExp(`^tessera_requests_total\\{${where},outcome="${outcome}"\\} 0$`, 'm'));
    assert.doesNotMatch(text, /_bucket\{[^}]*gate\.get/);
  });

  await t.test('counts requests by operation and outcome', async () => {
    const ticket = await logIn(url);
    await exchange(url, `GET /api/login?u=admin&pw=${WRONG}`);
    await exchange(url, 'GET /api/login');
    await exchange(url, `GET /api/login/ticket/${ticket}`, { headers: basic(`ROLE_TICKET:${ticket}`) });
    await exchange(url, `GET /api/login/ticket/${ticket}`);
    await exchange(url, `DELETE /api/login/ticket/${ticket}?alf_ticket=${ticket}`);
    await exchange(url, 'GET /api/nowhere/at-all');
    assert.equal(await requests('login.post', 'ok'), 1);
    assert.equal(await requests('login.get', 'login_failed'), 1);
    assert.equal(await requests('login.get', 'username_missing'), 1);
    assert.equal(await requests('loginticket.get', 'ok'), 1);
    assert.equal(await requests('loginticket.get', 'authentication_needed'), 1);
    assert.equal(await requests('loginticket.delete', 'ok'), 1);
    assert.equal(await requests('none', 'path_unknown'), 1);
  });

  await t.test('counts logins by outcome, and passwords in URLs', async () => {
    const before = await valueNow('tessera_logins_total', 'outcome="ok"');
    const failed = await valueNow('tessera_logins_total', 'outcome="login_failed"');
    const inUrls = await valueNow('tessera_url_passwords_total');
    await logIn(url);
    await exchange(url, `GET /api/login?u=admin&pw=${PASSWORD}`);
    await exchange(url, `GET /api/login?u=admin&pw=${WRONG}`);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await exchange(url, 'POST /api/login?alf_method=GET', { headers, body: `u=admin&pw=${PASSWORD}` });
    assert.equal((await valueNow('tessera_logins_total', 'outcome="ok"')) - before, 3);
    assert.equal((await valueNow('tessera_logins_total', 'outcome="login_failed"')) - failed, 1);
    assert.equal((await valueNow('tessera_url_passwords_total')) - inUrls, 2);
  });

  await t.test('counts refused passwords, by whichever way they came', async () => {
    const before = await valueNow('tessera_passwords_refused_total');
    const body = JSON.stringify({ username: 'nobody', password: WRONG });
    await exchange(url, `GET /api/login?u=nobody&pw=${WRONG}`);
    await exchange(url, 'POST /api/login', { body });
    await exchange(url, 'GET /api/rules/actiondefs', { headers: basic(`nobody:${WRONG}`) });
    await exchange(url, 'GET /api/rules/actiondefs', { headers: basic(`admin:${PASSWORD}`) });
    assert.equal((await valueNow('tessera_passwords_refused_total')) - before, 3);
  });

  await t.test('tells durations, live tickets and the hash queue in the format of Prometheus', async () => {
    const { status, headers, text } = await exchange(metricsUrl, 'GET /metrics');
    assert.equal(status, 200);
    assert.match(headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/);
    for (const name of ['request_duration_seconds_bucket', 'live_tickets', 'hash_queue'])
      assert.match(text, new RegExp(`^tessera_${name}(\\{[^}]*\\})? \\d`, 'm'));
  });

  await t.test('tells no name, no ticket and no path that was asked for', async () => {
    const { text: whole } = await exchange(metricsUrl, 'GET /metrics');
    // The operations of administration begin like the name of the user.
    const text = whole.replaceAll('/admin/', '/');
    for (const part of ['admin', 'TICKET_', PASSWORD, WRONG, 'nowhere', '127.0.0.1'])
      assert.ok(!text.includes(part), part);
  });

  await t.test('has nothing else', async () => {
    for (const path of ['/', '/api/server', `/api/login?u=admin&pw=${PASSWORD}`])
      assert.equal((await exchange(metricsUrl, `GET ${path}`)).status, 404);
  });
});

test('the metrics port says that the service is not ready while it stops', {
  timeout: PATIENCE,
}, async (t) => {
  const service = await start(t);
  const { url, metricsUrl, unruly } = service;
  const ticket = await logIn(url);
  const release = unruly.hold();
  const inFlight = exchange(url, `GET /api/login/ticket/${ticket}?alf_ticket=${ticket}`);
  await unruly.untilWaiting(1);
  const stopping = service.stop();
  assert.equal((await exchange(metricsUrl, 'GET /health/live')).status, 200);
  assert.equal((await exchange(metricsUrl, 'GET /health/ready')).status, 503);
  release();
  assert.equal((await inFlight).status, 200);
  await stopping;
  await assert.rejects(exchange(metricsUrl, 'GET /health/live'), { code: 'ECONNREFUSED' });
});

test('a fault of the metrics port is in the log, and the answer says nothing of it', async (t) => {
  const service = await start(t);
  const { metricsUrl, lines } = service;
  t.mock.method(service.watched.metrics, 'text', async () => {
    throw new Error('no library at /srv/inside');
  });
  const { status, text } = await exchange(metricsUrl, 'GET /metrics');
  assert.deepEqual([status, text], [500, 'This cannot be told now: the log says why\n']);
  const [fault = '', ...others] = lines.filter((line) => line.includes('"msg":"fault"'));
  assert.deepEqual(others, []);
  const { level, err } = JSON.parse(fault);
  assert.deepEqual([level, err.message], [50, '/metrics cannot be told: no library at /srv/inside']);
});

test('a service is ready once the first administrator can log in', async (t) => {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const port = String(await freePort());
  const starting = startTestService(t, { TESSERA_METRICS_PORT: port }, (folder) => {
    const store = openSqlite(folder);
    return {
      read: (work) => store.read(work),
      write: async (work) => {
        asked.resolve();
        await released.promise;
        return store.write(work);
      },
      close: () => store.close(),
    };
  });
  await asked.promise;
  const ready = async () => {
    const { status, text } = await exchange(`http://127.0.0.1:${port}`, 'GET /health/ready');
    return [status, text];
  };
  const before = await ready();
  released.resolve();
  await starting;
  assert.deepEqual(
    [before, await ready()],
    [
      [503, 'not ready: starting\n'],
      [200, 'ready\n'],
    ],
  );
});

test('a client of the metrics port that reads none of its answer is closed', async (t) => {
  const long = 'x'.repeat(50_000_000);
  const hosts = new ServedHosts({ listed: [], anyAddress: true });
  hosts.boundTo('http://127.0.0.1:1');
  const parts = {
    metrics: { text: async () => long },
    ready: async () => undefined,
    onFault: () => assert.fail(),
  };
  const server = buildMetricsServer(parts, hosts, () => undefined);
  afterwards(t, () => server.closeAllConnections());
  afterwards(t, () => void server.close());
  const closed = new Promise<void>((resolve) =>
    server.once('connection', (socket) => socket.once('close', () => resolve())),
  );
  const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0, setting: '' }));
  const silent = connect(Number(port), '127.0.0.1').pause();
  afterwards(t, () => void silent.destroy());
  silent.on('error', () => undefined).write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n');
  await closed;
});
