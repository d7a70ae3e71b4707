import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import { exchange } from '../../../core/http/scenario.ts';
import { freePort } from '../../../service/free-port.ts';
import { ask as fetched } from '../../../service/talk.ts';
import { bearer, startAsked } from './asking.ts';

/** Methods that a server never gets as a request. */
const NO_REQUESTS = ['CONNECT'];

test('the gate answers to any method, at its path and below it', async (t) => {
  const { ask, ticket } = await startAsked(t);
  for (const method of METHODS.filter((name) => !NO_REQUESTS.includes(name))) {
    for (const path of ['/gate', '/gate/a/b']) {
      assert.equal((await ask(bearer(ticket), `${method} ${path}`)).status, 204, `${method} ${path}`);
      assert.equal((await ask({}, `${method} ${path}`)).status, 401, `${method} ${path}`);
    }
  }
});

test('at any path below its own, the gate answers as at its own', async (t) => {
  const { ask, ticket, service } = await startAsked(t);
  for (const rest of [
    '/',
    '//',
    '/a//b/',
    '/a/../b',
    '/%',
    '/%zz/%ff',
    '/api/login',
    '/api/login.json?u=admin&pw=x',
    '/page.toml?format=toml&format=xml',
    '?format=toml',
    '/?alf_method=DELETE&%',
    '/a?b?c#d',
    `/${'x'.repeat(8_000)}`,
  ]) {
    assert.equal((await ask(bearer(ticket), `GET /gate${rest}`)).status, 204, rest);
    assert.equal((await ask({}, `GET /gate${rest}`)).status, 401, rest);
  }
  const overridden = { ...bearer(ticket), 'x-http-method-override': 'DELETE' };
  assert.equal((await ask(overridden, 'POST /gate/a')).status, 204);
  for (const base of service.settings.basePaths)
    assert.equal((await ask(bearer(ticket), `GET ${base}/gate/x`)).status, 204, base);
});

test('paths beside the gate are not the gate', async (t) => {
  const { ask, ticket } = await startAsked(t);
  for (const path of ['/gatekeeper', '/Gate', '/gat', '/x/gate', '/gate.json', '/%67ate'])
    assert.equal((await ask(bearer(ticket), `GET ${path}`)).status, 404, path);
});

test('a body is not read', async (t) => {
  const { service, ticket } = await startAsked(t);
  for (const body of ['{', 'a=b', '\xff'])
    assert.equal(
      (await exchange(service.url, 'POST /gate/x', { headers: bearer(ticket), body })).status,
      204,
    );
});

test('a path below the gate is in no line of the log, and makes no series of the metrics', async (t) => {
  const { ask, ticket, service } = await startAsked(t, { TESSERA_METRICS_PORT: String(await freePort()) });
  for (const path of ['/gate', '/gate/secret-page', '/gate/secret-page/2?x=secret-page'])
    for (const headers of [bearer(ticket), {} as Record<string, string>]) await ask(headers, `GET ${path}`);
  const { text } = await fetched(`${service.metricsUrl}/metrics`);
  const counted = text.split('\n').filter((line) => /^tessera_requests_total.*gate.* [^0]/.test(line));
  const series = (outcome: string) =>
    `tessera_requests_total{operation="org/service/repository/gate.get",outcome="${outcome}"} 3`;
  assert.deepEqual(counted, [series('ok'), series('ticket_needed')]);
  assert.doesNotMatch(text + service.lines.join(''), /secret-page/);
});
