import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuse } from '../../../src/core/domain/refusal.ts';
import { openLog } from '../../../src/core/telemetry/log.ts';
import { Metrics, observer, type RequestRecord, requestIds } from '../../../src/core/telemetry/metrics.ts';

const ANSWERED: RequestRecord = {
  id: 'a-1',
  operation: 'org/service/repository/loginticket.get',
  isLogin: false,
  passwordInUrl: false,
  refusal: undefined,
  status: 200,
  duration: 1.23456,
  user: 'ann',
  digest: '00c0ffee',
  client: 'gateway',
  address: '192.0.2.1',
};

/** What is logged and counted of a request. */
async function observed(different: Partial<RequestRecord>) {
  const lines: string[] = [];
  const metrics = new Metrics({ hashesWaiting: () => 0, liveTickets: () => 0, clock: Date.now });
  observer(
    openLog('info', { write: (line) => void lines.push(line) }),
    metrics,
  )({ ...ANSWERED, ...different });
  const text = await metrics.text();
  const counted = text
    .split('\n')
    .filter((line) => /^tessera_(requests|logins|url)/.test(line) && !line.endsWith(' 0'));
  const { time: _, level: __, ...line } = JSON.parse(lines[0] ?? '{}');
  return { line, counted, text, lines: lines.length };
}

test('a request makes one line: id, operation, outcome, status, duration, user, digest, client and address', async () => {
  const { line, counted, lines } = await observed({});
  assert.equal(lines, 1);
  const { isLogin: _, passwordInUrl: __, refusal: ___, duration: ____, ...told } = ANSWERED;
  assert.deepEqual(line, { ...told, outcome: 'ok', ms: 1.235, msg: 'request' });
  assert.deepEqual(counted, [`tessera_requests_total{operation="${ANSWERED.operation}",outcome="ok"} 1`]);
});

test('the line of a refused request has the true reason and the user', async () => {
  const refusal = refuse('login_failed', { reason: 'unknown-name', user: 'hu\u2026 (7 characters)' });
  const { line, counted } = await observed({ isLogin: true, refusal, status: 403, user: undefined });
  assert.deepEqual([line.outcome, line.reason, line.user], ['login_failed', 'unknown-name', refusal.user]);
  assert.ok(counted.includes('tessera_logins_total{outcome="login_failed"} 1'));
});

test('a request without an operation is logged and counted as such', async () => {
  const { line, counted } = await observed({
    operation: undefined,
    refusal: refuse('path_unknown'),
    status: 404,
  });
  assert.equal(line.operation, undefined);
  assert.deepEqual(counted, ['tessera_requests_total{operation="none",outcome="path_unknown"} 1']);
});

test('unreadable bytes are counted, without a duration', async () => {
  const { line, counted, text } = await observed({ operation: undefined, duration: undefined });
  assert.equal(line.ms, undefined);
  assert.deepEqual(counted, ['tessera_requests_total{operation="none",outcome="ok"} 1']);
  assert.doesNotMatch(text, /duration_seconds_count\{operation="none"\}/);
});

test('a password in a URL is counted', async () => {
  const { counted } = await observed({ isLogin: true, passwordInUrl: true });
  assert.ok(counted.includes('tessera_url_passwords_total 1'));
});

test('no two requests have the same id, not even in two processes', () => {
  const [one, other] = [requestIds(), requestIds()];
  const ids = Array.from({ length: 5_000 }, (_, index) => (index % 2 === 0 ? one() : other()));
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[\w-]+$/);
});
