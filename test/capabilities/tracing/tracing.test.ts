import assert from 'node:assert/strict';
import { tracingChannel } from 'node:diagnostics_channel';
import { type TestContext, test } from 'node:test';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { tracingOptionsIn } from '../../../src/capabilities/tracing/environment.ts';
import { Spans } from '../../../src/capabilities/tracing/spans.ts';
import { serve } from '../../crash/serve.ts';
import { PASSWORD, startTestService, temporaryFolder } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';
import { until } from '../../service/until.ts';
import { type CollectedSpan, startCollector } from './collector.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const SAMPLED = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'proxy=00f067aa0ba902b7' };
const NOT_SAMPLED = { traceparent: `00-${TRACE}-${PARENT}-00` };
const BEHIND_PROXY = { TESSERA_TRUSTED_PROXIES: '127.0.0.1' };

/** A service that sends its spans to a collector, and what stops it and gives all spans. */
async function startTraced(t: TestContext, settings: Record<string, string> = {}) {
  const collector = await startCollector(t);
  const named = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const service = await startTestService(t, { ...named, ...settings });
  const lines = () => service.lines.map((line) => JSON.parse(line));
  const requests = () => lines().filter(({ msg }) => msg === 'request');
  const spansAtEnd = async () => {
    await service.stop();
    return collector.spans();
  };
  return { ...service, collector, lines, requests, spansAtEnd };
}

/** The span of this name, which has to be the only one. */
function the(name: string, spans: readonly CollectedSpan[]): CollectedSpan {
  const [found, ...others] = spans.filter((span) => span.name === name);
  assert.ok(found !== undefined && others.length === 0, `${name} in ${spans.map((span) => span.name)}`);
  return found;
}

test('a login is a trace: the request, the gate in it, and below that its wait, its hash and its store units', async (t) => {
  const { url, spansAtEnd, requests } = await startTraced(t);
  await logIn(url);
  const spans = await spansAtEnd();
  const request = the('POST /api/login', spans);
  assert.deepEqual(request.attributes, {
    'http.request.method': 'POST',
    'http.route': '/api/login',
    'http.response.status_code': 200,
    'tessera.operation': 'org/service/repository/login.post',
    'tessera.outcome': 'ok',
    'tessera.request_id': requests()[0].id,
  });
  assert.deepEqual([request.kind, request.parent, request.isFaulty], [2, '', false]);
  assert.equal(requests()[0].trace_id, request.trace);
  const gate = the('gate', spans);
  assert.equal(gate.parent, request.id);
  for (const name of ['hash wait', 'hash', 'store write']) assert.equal(the(name, spans).parent, gate.id);
  assert.ok(spans.filter(({ name }) => name === 'store read').length > 0);
  for (const span of spans) {
    assert.equal(span.trace, request.trace);
    assert.ok(request.began <= span.began && span.began <= span.ended && span.ended <= request.ended);
    const { 'service.name': name, 'service.instance.id': instance } = span.resource;
    assert.ok(name === 'tessera' && instance !== undefined);
    if (span.name.startsWith('store')) assert.deepEqual(span.attributes, { 'db.system.name': 'sqlite' });
  }
});

test('nothing secret and no name is in what the collector gets', async (t) => {
  const { url, spansAtEnd, collector, addUser } = await startTraced(t);
  await addUser('hunter2');
  const ticket = await logIn(url, 'hunter2');
  await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
  await ask(`${url}/api/login?u=hunter2&pw=${PASSWORD}`);
  await ask(`${url}/nowhere/${ticket}?pw=${PASSWORD}`);
  await ask(`${url}/api/login`, { method: 'POST', body: '{"username":"hunter2","password":"s3cr3t"}' });
  await ask(`${url}/api/login/ticket/${ticket}`, {
    headers: { authorization: 'Basic aHVudGVyMjpzM2NyM3Q=' },
  });
  const spans = await spansAtEnd();
  const routes = spans.filter(({ kind }) => kind === 2).map(({ name }) => name);
  assert.deepEqual(routes, [
    'POST /api/login',
    'GET /api/login/ticket/{ticket}',
    'GET /api/login',
    'GET',
    'POST /api/login',
    'GET /api/login/ticket/{ticket}',
  ]);
  const sent = Buffer.concat(collector.bytes).toString('latin1');
  assert.doesNotMatch(sent, /hunter2|s3cr3t|TICKET_|127\.0\.0\.1|aHVudGVy/);
  for (const secret of [PASSWORD, ticket.slice(7)]) assert.ok(!sent.includes(secret));
});

test('a trace that a trusted proxy began goes on: its sampling holds, and its state', async (t) => {
  const { url, spansAtEnd, requests } = await startTraced(t, BEHIND_PROXY);
  await ask(`${url}/api/server`, { headers: NOT_SAMPLED });
  await ask(`${url}/api/server`, { headers: SAMPLED });
  const spans = await spansAtEnd();
  const request = the('GET /api/server', spans);
  const { trace, parent, state } = request;
  assert.deepEqual({ trace, parent, state }, { trace: TRACE, parent: PARENT, state: SAMPLED.tracestate });
  assert.deepEqual(
    requests().map(({ trace_id }) => trace_id),
    [TRACE, TRACE],
  );
});

test('a trace that any other client began does not go on: it begins anew here, and the sampler decides', async (t) => {
  const { url, spansAtEnd, requests } = await startTraced(t, {
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
  });
  await ask(`${url}/api/server`, { headers: SAMPLED });
  assert.match(requests()[0].trace_id, /^[0-9a-f]{32}$/);
  assert.notEqual(requests()[0].trace_id, TRACE);
  assert.deepEqual(await spansAtEnd(), []);
});

test('a request whose answer is a fault is marked, with the code of its refusal', async (t) => {
  const { url, store, spansAtEnd } = await startTraced(t);
  const ticket = await logIn(url);
  await store.close();
  const { status } = await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
  assert.equal(status, 503);
  const spans = await spansAtEnd();
  const request = the('GET /api/login/ticket/{ticket}', spans);
  assert.deepEqual([request.isFaulty, request.attributes['error.type']], [true, 'store_unavailable']);
  const failed = spans.filter(({ isFaulty, trace }) => isFaulty && trace === request.trace);
  assert.deepEqual(
    failed.map(({ name, attributes }) => [name, attributes['error.type']]),
    [
      ['store read', 'StoreUnavailable'],
      ['GET /api/login/ticket/{ticket}', 'store_unavailable'],
    ],
  );
});

test('without a collector the service goes on, keeps as many spans as it is told, and says once that they are lost', async (t) => {
  const collector = await startCollector(t, 400);
  const { url, lines, stop } = await startTestService(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_MAX_QUEUE_SIZE: '8',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2',
  });
  for (let number = 0; number < 20; number += 1) assert.equal((await ask(`${url}/api/server`)).status, 200);
  await until('spans were refused', () => collector.bytes.length > 2);
  await stop();
  const said = lines.map((line) => JSON.parse(line)).filter(({ level }) => level > 30);
  assert.deepEqual(
    said.map(({ msg, collector: at }) => [msg, at]),
    [['spans are lost: the collector does not take them', `${collector.url}/v1/traces`]],
  );
});

test('the program reads the variables of OpenTelemetry, and sends the last spans as it ends', async (t) => {
  const collector = await startCollector(t);
  let log = '';
  const { url, kill, ended } = serve(
    t,
    await temporaryFolder(t),
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.replace('//', '//name:s3cr3t@'),
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=s3cr3t',
      OTEL_SERVICE_NAME: 'tickets',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: 'soon',
      TESSERA_LOG_LEVEL: 'info',
    },
    (text) => {
      log += text;
    },
  );
  await logIn(await url);
  assert.deepEqual(collector.bytes, []);
  kill('SIGTERM');
  assert.equal((await ended).code, 0);
  const { resource } = the('POST /api/login', collector.spans());
  const { 'service.name': name, 'deployment.environment.name': environment } = resource;
  assert.deepEqual([name, environment], ['tickets', 'test']);
  assert.equal(collector.headers[0]?.['x-key'], 's3cr3t');
  assert.doesNotMatch(log, /s3cr3t/);
  assert.match(log, /"collector":"http:\/\/127\.0\.0\.1:\d+\/v1\/traces","msg":"requests are traced"/);
  assert.match(log, /OTEL_BSP_SCHEDULE_DELAY: 5000 is used; set a whole number above 0/);
});

test('no collector, or traces that are turned off: nothing is traced, and no line of the log names a trace', async (t) => {
  for (const off of [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'True' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
  ]) {
    const { url, lines } = await startTestService(t, off);
    await ask(`${url}/api/server`);
    assert.ok(!lines.some((line) => /trace_id|are traced/.test(line)));
    const refused = lines.filter((line) => line.includes('is no address of a collector'));
    assert.equal(refused.length, off.OTEL_EXPORTER_OTLP_ENDPOINT === 'collector:4318' ? 1 : 0);
  }
});

test('the variables mean what OpenTelemetry says, and a wrong one counts as its default', () => {
  const collectorOf = (given: Record<string, string>) => tracingOptionsIn(given).collector?.href;
  assert.equal(collectorOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:1/b' }), 'http://a:1/b/v1/traces');
  const both = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:1',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/d',
  };
  assert.equal(collectorOf(both), 'http://c/d');
  const faultsOf = (given: Record<string, string>) =>
    tracingOptionsIn({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', ...given }).faults;
  for (const sampler of ['always_off', 'traceidratio', 'parentbased_traceidratio'])
    assert.deepEqual(faultsOf({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0.5' }), []);
  for (const [name, wrong] of [
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_PROPAGATORS', 'b3'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '-1'],
  ] as const) {
    const [fault = '', ...others] = faultsOf({ OTEL_TRACES_SAMPLER: 'traceidratio', [name]: wrong });
    assert.ok(fault.startsWith(name) && others.length === 0, `${name}: ${fault}`);
  }
  const { continues } = tracingOptionsIn({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a',
    OTEL_PROPAGATORS: 'none',
  });
  assert.equal(continues, false);
});

test('work after the answer of a request is no part of its trace', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const spans = new Spans(provider.getTracer('test'), false);
  const units = tracingChannel('tessera:store');
  const inUnit = () => units.tracePromise(async () => undefined, { engine: 'sqlite', access: 'write' });
  await spans.follow({ method: 'GET', began: performance.now() }, async () => {
    await inUnit();
    spans.answered({ id: 'a-1', status: 200 });
    await inUnit();
  });
  await inUnit();
  spans.close();
  assert.deepEqual(
    exporter.getFinishedSpans().map(({ name }) => name),
    ['store write', 'GET'],
  );
});
