import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../service/free-port.ts';
import { PASSWORD, startTestService } from '../service/start.ts';
import { ask, logIn } from '../service/talk.ts';

test('what was asked and how it went is counted on the metrics port', async (t) => {
  const { url, metricsUrl } = await startTestService(t, { TESSERA_METRICS_PORT: String(await freePort()) });
  const ticket = await logIn(url);
  await ask(`${url}/api/login?u=admin&pw=${PASSWORD}`);
  await ask(`${url}/api/login?u=admin&pw=wrong`);
  await ask(`${url}/api/login?u=admin`);
  await ask(`${url}/api/login/ticket/${ticket}`);
  await ask(`${url}/nowhere`);
  const { text } = await ask(`${metricsUrl}/metrics`);
  for (const line of [
    'tessera_requests_total{operation="org/service/repository/login.post",outcome="ok"} 1',
    'tessera_requests_total{operation="org/service/repository/login.get",outcome="ok"} 1',
    'tessera_requests_total{operation="org/service/repository/login.get",outcome="login_failed"} 1',
    'tessera_requests_total{operation="org/service/repository/login.get",outcome="password_missing"} 1',
    'tessera_requests_total{operation="org/service/repository/loginticket.get",outcome="authentication_needed"} 1',
    'tessera_requests_total{operation="none",outcome="path_unknown"} 1',
    'tessera_logins_total{outcome="ok"} 2',
    'tessera_logins_total{outcome="login_failed"} 1',
    'tessera_url_passwords_total 2',
    'tessera_hash_queue 0',
  ])
    assert.ok(text.split('\n').includes(line), line);
  assert.match(text, /^tessera_live_tickets \d+$/m);
  assert.doesNotMatch(text, /TICKET_|correct-horse|admin/);
});

test('each answer has its own request id, which its line in the log has too', async (t) => {
  const { url, lines } = await startTestService(t);
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask(`${url}/api/server`)));
  const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '');
  assert.equal(new Set(ids).size, 30);
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  assert.deepEqual(logged.map(({ id }) => id).sort(), [...ids].sort());
});

test('secrets in the URL, the header and the body of whatever request leave no trace in the log', async (t) => {
  const { url, lines } = await startTestService(t, { TESSERA_LOG_LEVEL: 'debug' });
  const ticket = await logIn(url);
  const secrets = { headers: { authorization: 'Bearer s3cr3t' } };
  for (const path of [
    '/api/login?u=hunter2&pw=s3cr3t',
    '/api/login?u=hunter2&u=hunter3&pw=s3cr3t',
    '/api/login?u=hunter2&pw=s3cr3t%zz',
    '/api/login.hunter2?pw=s3cr3t',
    `/api/login/ticket/${ticket}?alf_ticket=${ticket}`,
    `/api/login/ticket/TICKET_hunter2?alf_ticket=TICKET_s3cr3t`,
    `/nowhere/${ticket}?password=s3cr3t`,
  ])
    await ask(`${url}${path}`, secrets);
  for (const body of [
    '{"username":"hunter2","password":"s3cr3t"}',
    '{"password":"s3cr3t',
    'password=s3cr3t',
    '[["s3cr3t"]]',
  ])
    await ask(`${url}/api/login`, { method: 'POST', body });
  assert.ok(lines.length >= 12);
  for (const line of lines) {
    assert.doesNotMatch(line, /hunter2|s3cr3t/);
    assert.ok(!line.includes(ticket.slice(7)), line);
  }
});
