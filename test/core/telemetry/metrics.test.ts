import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Metrics } from '../../../src/core/telemetry/metrics.ts';

const OPERATION = 'org/service/repository/login.post';

function metrics(hashesWaiting = () => 0, liveTickets = () => 0) {
  const counted = new Metrics({ hashesWaiting, liveTickets, clock: () => 1_500 });
  const text = () => counted.text();
  const line = async (start: string) => (await text()).split('\n').find((one) => one.startsWith(start));
  return { counted, text, line };
}

test('requests are counted by operation and outcome, with their durations in seconds', async () => {
  const { counted, line } = metrics();
  counted.answered(OPERATION, 'ok', 0.004);
  counted.answered(OPERATION, 'ok', 0.2);
  counted.answered(OPERATION, 'login_failed', 0.2);
  assert.equal(
    await line(`tessera_requests_total{operation="${OPERATION}",outcome="ok"}`),
    `tessera_requests_total{operation="${OPERATION}",outcome="ok"} 2`,
  );
  assert.match(
    (await line(`tessera_requests_total{operation="${OPERATION}",outcome="login_failed"}`)) ?? '',
    / 1$/,
  );
  const duration = 'tessera_request_duration_seconds';
  assert.match((await line(`${duration}_bucket{le="0.005",operation="${OPERATION}"}`)) ?? '', / 1$/);
  assert.match((await line(`${duration}_count{operation="${OPERATION}"}`)) ?? '', / 3$/);
});

test('logins are counted by outcome, and passwords in URLs beside', async () => {
  const { counted, line } = metrics();
  for (const outcome of ['ok', 'login_failed', 'login_failed']) counted.login(outcome);
  counted.passwordInUrl();
  assert.equal(await line('tessera_logins_total{outcome="ok"}'), 'tessera_logins_total{outcome="ok"} 1');
  assert.equal(
    await line('tessera_logins_total{outcome="login_failed"}'),
    'tessera_logins_total{outcome="login_failed"} 2',
  );
  assert.equal(await line('tessera_url_passwords_total'), 'tessera_url_passwords_total 1');
});

test('live tickets and the hash queue are read whenever the metrics are asked for', async () => {
  let now = 3;
  const { line } = metrics(
    () => now,
    () => 10 * now,
  );
  assert.equal(await line('tessera_hash_queue'), 'tessera_hash_queue 3');
  now = 4;
  assert.equal(await line('tessera_hash_queue'), 'tessera_hash_queue 4');
  assert.equal(await line('tessera_live_tickets'), 'tessera_live_tickets 40');
});

test('the version is in the metrics', async () => {
  const { line } = metrics();
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  assert.equal(await line('tessera_build_info'), `tessera_build_info{version="${version}"} 1`);
});

test('two services in one process count separately', async () => {
  const [one, other] = [metrics(), metrics()];
  one.counted.login('ok');
  assert.equal(await other.line('tessera_logins_total{outcome="ok"}'), undefined);
});
