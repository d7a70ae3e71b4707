import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Event } from '../../../../src/core/domain/event.ts';
import type { Ticket } from '../../../../src/core/domain/ticket.ts';
import { digestOf } from '../../../../src/core/gate/tickets.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';
import { until } from '../../../service/until.ts';

const PATH = '/api/admin/events/stream';

/** A stream that is being read: its text so far. */
interface Reading {
  readonly status: number;
  readonly headers: Headers;
  text(): string;
  /** Resolves once the server ends it. */
  readonly ended: Promise<void>;
  leave(): void;
}

async function listen(
  t: TestContext,
  { url }: TestService,
  credential: string,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Reading> {
  const left = new AbortController();
  t.after(() => left.abort());
  const response = await fetch(`${url}${PATH}${query}`, {
    headers: { authorization: `Bearer ${credential}`, ...headers },
    signal: left.signal,
  });
  let text = '';
  const read = async () => {
    for await (const part of response.body ?? []) text += Buffer.from(part).toString();
  };
  const ended = read().catch(() => undefined);
  const { status, headers: answered } = response;
  return { status, headers: answered, text: () => text, ended, leave: () => left.abort() };
}

const begun = (stream: Reading) => until('its beginning', () => stream.text().includes('retry: '));

const append = ({ store }: TestService, event: Partial<Event>) =>
  store.write((unit) => unit.events.append({ at: Date.now(), kind: 'unlock', ...event }));

/** The messages in the text of a stream. */
function messagesIn(text: string): { id: string; event: string; data: Record<string, unknown> }[] {
  const found = [...text.matchAll(/^id: (.+)\nevent: (.+)\ndata: (.+)\n\n/gm)];
  return found.map(([, id = '', event = '', data = '']) => ({ id, event, data: JSON.parse(data) }));
}

test('a stream gives each event once, in order, as it happens', async (t) => {
  const service = await startTestService(t);
  await append(service, { user: 'before' });
  const stream = await listen(t, service, await service.addApiKey('auditor'));
  assert.equal(stream.status, 200);
  assert.equal(stream.headers.get('content-type'), 'text/event-stream');
  assert.equal(stream.headers.get('cache-control'), 'no-cache, no-store');
  assert.equal(stream.headers.get('x-accel-buffering'), 'no');
  await begun(stream);
  for (const user of ['ann', 'bob', 'cem']) {
    await append(service, { user });
    await until('the message', () => stream.text().includes(`"${user}"`));
  }
  const messages = messagesIn(stream.text());
  assert.deepEqual(
    messages.map(({ event, data }) => [event, data.user]),
    [
      ['unlock', 'ann'],
      ['unlock', 'bob'],
      ['unlock', 'cem'],
    ],
  );
});

test('a stream goes on behind the message that Last-Event-ID names', async (t) => {
  const service = await startTestService(t);
  const key = await service.addApiKey('auditor');
  const first = await listen(t, service, key);
  await begun(first);
  await append(service, { user: 'ann' });
  await append(service, { user: 'bob' });
  await until('the messages', () => messagesIn(first.text()).length === 2);
  first.leave();
  await append(service, { user: 'cem' });
  const [{ id = '' } = {}] = messagesIn(first.text());
  const second = await listen(t, service, key, { headers: { 'last-event-id': id } });
  await until('the messages', () => messagesIn(second.text()).length === 2);
  assert.deepEqual(
    messagesIn(second.text()).map(({ data }) => data.user),
    ['bob', 'cem'],
  );
});

test('a stream that saw no message goes on from where it began', async (t) => {
  const service = await startTestService(t);
  const key = await service.addApiKey('auditor');
  const first = await listen(t, service, key);
  await until('its id', () => /^id: .+$/m.test(first.text()));
  first.leave();
  const [, id = ''] = /^id: (.+)$/m.exec(first.text()) ?? [];
  await append(service, { user: 'ann' });
  const second = await listen(t, service, key, { headers: { 'last-event-id': id } });
  await until('the messages', () => messagesIn(second.text()).length === 1);
});

test('a stream filters by kind, by user and by address', async (t) => {
  const service = await startTestService(t);
  const key = await service.addApiKey('auditor');
  const stream = await listen(t, service, key, { query: '?kind=lock&user=ANN&from=192.0.2.7' });
  await begun(stream);
  const wanted = { kind: 'lock', user: 'ann', from: '192.0.2.7' } as const;
  await append(service, { ...wanted, user: 'bob' });
  await append(service, { ...wanted, kind: 'unlock' });
  await append(service, { ...wanted, from: '192.0.2.8' });
  await append(service, wanted);
  await until('the messages', () => messagesIn(stream.text()).length > 0);
  assert.deepEqual(
    messagesIn(stream.text()).map(({ event, data }) => [event, data.user]),
    [['lock', 'ann']],
  );
});

test('a stream ends when its ticket ends', async (t) => {
  const service = await startTestService(t);
  const ticket = await logIn(service.url);
  const stream = await listen(t, service, ticket);
  await begun(stream);
  await ask(`${service.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, { method: 'DELETE' });
  await stream.ended;
});

test('a stream ends when its API key is removed', async (t) => {
  const service = await startTestService(t);
  const stream = await listen(t, service, await service.addApiKey('auditor'));
  await begun(stream);
  await service.store.write(async ({ apiKeys }) => {
    for (const { name } of await apiKeys.list()) await apiKeys.remove(name);
  });
  await stream.ended;
});

test('a stream keeps no ticket alive that its user leaves alone', async (t) => {
  const service = await startTestService(t, { TESSERA_TICKET_IDLE: 'PT1M' });
  const [ticket, other] = [await logIn(service.url), await logIn(service.url)];
  const lastUse = async (of: string) => {
    const held = await service.store.read((unit) => unit.tickets.find(digestOf(of as Ticket)));
    return held?.ticket.usedAt ?? 0;
  };
  const began = await lastUse(ticket);
  const stream = await listen(t, service, ticket);
  await begun(stream);
  service.shiftClock(40_000);
  await append(service, { user: 'ann' });
  await until('the message', () => stream.text().includes('"ann"'));
  await ask(`${service.url}/api/login/ticket/${other}?alf_ticket=${other}`);
  await until('the use of the other', async () => (await lastUse(other)) > began + 30_000);
  assert.ok((await lastUse(ticket)) < began + 30_000);
  service.shiftClock(40_000);
  await stream.ended;
});

test('a stop of the service ends its streams, and waits for none of them', async (t) => {
  const service = await startTestService(t, { TESSERA_STOP_DEADLINE: 'PT1H' });
  const stream = await listen(t, service, await service.addApiKey('auditor'));
  await begun(stream);
  await service.stop();
  await stream.ended;
});

test('a stream is left when its client closes its side, read plainly or by fastify', async (t) => {
  const service = await startTestService(t);
  const key = await service.addApiKey('auditor');
  for (const more of ['', 'Content-Length: 0\r\n']) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    t.after(() => socket.destroy());
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`);
    await until('its beginning', () => text.includes('retry: '));
    assert.match(text, /\r\nConnection: close\r\n/i);
    socket.end();
    await once(socket, 'close');
  }
});

test('HEAD of a stream is answered at once', async (t) => {
  const service = await startTestService(t);
  const headers = { authorization: `Bearer ${await service.addApiKey('auditor')}` };
  const { status, text } = await ask(service.url + PATH, { method: 'HEAD', headers });
  assert.equal(status, 200);
  assert.equal(text, '');
});

const opened = (t: TestContext, service: TestService, key: string) =>
  Promise.all(Array.from({ length: 10 }, () => listen(t, service, key)));

test('one stream too many is told to come back later', async (t) => {
  const service = await startTestService(t);
  const keys = await Promise.all(Array.from({ length: 10 }, () => service.addApiKey('auditor')));
  const streams = (await Promise.all(keys.map((key) => opened(t, service, key)))).flat();
  for (const { status } of streams) assert.equal(status, 200);
  const headers = { authorization: `Bearer ${await service.addApiKey('auditor')}` };
  const more = await ask(service.url + PATH, { headers });
  assert.equal(more.status, 503);
  assert.equal(JSON.parse(more.text).code, 'streams_full');
  assert.ok(Number(more.headers.get('retry-after')) > 0);
  streams[0]?.leave();
  await until('room for another', async () => {
    const again = await fetch(service.url + PATH, { headers });
    await again.body?.cancel();
    return again.status === 200;
  });
});

test('one caller has a tenth of the streams, and leaves the others to others', async (t) => {
  const service = await startTestService(t);
  const key = await service.addApiKey('auditor');
  const [first] = await opened(t, service, key);
  const more = await ask(service.url + PATH, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(more.status, 503);
  const { code, detail } = JSON.parse(more.text);
  assert.equal(code, 'streams_full');
  assert.match(detail, /one caller has at most 10/);
  assert.equal((await listen(t, service, await service.addApiKey('auditor'))).status, 200);
  assert.equal((await listen(t, service, await logIn(service.url))).status, 200);
  first?.leave();
  await until('room for another', async () => (await listen(t, service, key)).status === 200);
});
