import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdminClient, type AdminList, type AdminOperation } from '../../src/client/admin.ts';
import { Refused, Unreachable, Unreadable } from '../../src/client/failures.ts';
import { operations } from '../../src/main/operations.ts';
import { startTestService } from '../service/start.ts';
import { logIn } from '../service/talk.ts';
import { json, scripted } from './scripted.ts';

/** Every operation that the client has by name. The compiler compares it with the types. */
const NAMED: Readonly<Record<AdminOperation, true>> = {
  'DELETE /api-keys/{name}': true,
  'GET /api-keys/{name}': true,
  'GET /api-keys': true,
  'POST /api-keys': true,
  'DELETE /applications/{name}': true,
  'GET /applications': true,
  'GET /applications/{name}': true,
  'POST /applications/{name}/secret': true,
  'PUT /applications/{name}': true,
  'GET /signing-keys': true,
  'POST /signing-keys': true,
  'DELETE /clients/{name}': true,
  'GET /clients/{name}': true,
  'GET /clients': true,
  'POST /clients': true,
  'GET /users/{userName}/second-factor': true,
  'DELETE /users/{userName}/second-factor': true,
  'GET /users/{userName}/app-passwords': true,
  'POST /users/{userName}/app-passwords': true,
  'DELETE /users/{userName}/app-passwords/{appPassword}': true,
  'GET /events': true,
  'GET /events/counts': true,
  'DELETE /groups/{group}': true,
  'GET /groups/{group}': true,
  'PATCH /groups/{group}': true,
  'GET /groups': true,
  'POST /groups': true,
  'DELETE /groups/{group}/groups/{member}': true,
  'PUT /groups/{group}/groups/{member}': true,
  'GET /groups/{group}/members': true,
  'DELETE /groups/{group}/users/{userName}': true,
  'PUT /groups/{group}/users/{userName}': true,
  'DELETE /lock-outs/{userName}': true,
  'GET /lock-outs/{userName}': true,
  'GET /lock-outs': true,
  'GET /gate/explanation': true,
  'POST /directory/check': true,
  'POST /providers/check': true,
  'GET /settings': true,
  'GET /status': true,
  'GET /webhooks': true,
  'POST /webhooks/{id}/replay': true,
  'GET /mail': true,
  'POST /invitations': true,
  'POST /mail/retry': true,
  'POST /mail/test': true,
  'DELETE /tickets': true,
  'GET /tickets': true,
  'PUT /users/{userName}/password': true,
  'DELETE /users/{userName}/tickets/{digest}': true,
  'DELETE /users/{userName}/tickets': true,
  'GET /users/{userName}/tickets': true,
  'DELETE /users/{userName}': true,
  'GET /users/{userName}': true,
  'GET /users/{userName}/sign-in': true,
  'PATCH /users/{userName}': true,
  'GET /users': true,
  'POST /users': true,
};

const refused = async (work: Promise<unknown>): Promise<Refused> => {
  const fault = await work.then(
    () => assert.fail('it was not refused'),
    (error: unknown) => error,
  );
  assert.ok(fault instanceof Refused, String(fault));
  return fault;
};

test('the client knows every operation of administration, and the stream', () => {
  const served = operations
    .filter(({ api, streams }) => api?.name === 'admin' && !streams)
    .map(({ method, paths: [path = ''] }) => `${method} ${path.slice('/api/admin'.length)}`);
  assert.deepEqual(Object.keys(NAMED).sort(), served.sort());
  assert.deepEqual(
    operations.filter(({ streams }) => streams).map(({ paths }) => paths),
    [['/api/admin/events/stream']],
  );
});

test('a machine administers with its key, an administrator with a ticket', async (t) => {
  const service = await startTestService(t);
  const key = await service.addApiKey('administrator');
  for (const credential of [{ key }, { ticket: await logIn(service.url) }]) {
    const admin = new AdminClient(`${service.url}/alfresco/service`, credential);
    const { value } = await admin.call('POST /clients', { body: { name: 'portal' } });
    assert.match(value.secret, /^SECRET_/);
    const { value: shown, etag } = await admin.call('GET /clients/{name}', { path: { name: 'portal' } });
    assert.equal(shown.name, 'portal');
    const old = admin.call('DELETE /clients/{name}', { path: { name: 'portal' } }, { ifMatch: '"old"' });
    assert.deepEqual([(await refused(old)).status, (await refused(old)).code], [412, 'changed_meanwhile']);
    const removed = await admin.call(
      'DELETE /clients/{name}',
      { path: { name: 'portal' } },
      { ifMatch: etag },
    );
    assert.equal(removed.value, undefined);
  }
});

test('a list is read page by page, as far as its items are wanted', async (t) => {
  const service = await startTestService(t);
  for (const name of ['a', 'b', 'c', 'd', 'e']) await service.addClient(name);
  const asked: string[] = [];
  const counting: typeof fetch = (input, init) => {
    asked.push(new URL(String(input)).search.replace(/cursor=.+/, 'cursor'));
    return fetch(input, init);
  };
  const key = await service.addApiKey('operator');
  const admin = new AdminClient(service.url, { key }, { fetch: counting });
  const names: string[] = [];
  for await (const { name } of admin.list('GET /clients', { query: { limit: '2' } })) names.push(name);
  assert.deepEqual(names, ['a', 'b', 'c', 'd', 'e']);
  assert.deepEqual(asked, ['?limit=2', '?limit=2&cursor', '?limit=2&cursor']);
  for await (const { name } of admin.list('GET /clients', { query: { limit: '2' } })) if (name === 'b') break;
  assert.equal(asked.length, 4);
});

test('the stream gives events, goes on where it was when the connection breaks, and ends by its signal', async (t) => {
  const event = (id: number) =>
    `id: cursor-${id}\nevent: lock\ndata: {"id":${id},"at":"2026-01-01T00:00:00.000Z","kind":"lock","count":1}\n\n`;
  const stream = (body: string) => ({ status: 200, headers: { 'content-type': 'text/event-stream' }, body });
  const { url, received } = await scripted(
    t,
    stream(`retry: 1\nid: cursor-0\n\n${event(1)}:\n\n${event(2)}id: cursor-9\ndata: {"cut`),
    'hang up',
    { status: 503, headers: { 'retry-after': '1' } },
    stream(event(3) + event(4)),
  );
  const left = new AbortController();
  const seen: [string, number][] = [];
  for await (const { id, event: told } of new AdminClient(url, { key: 'tsk_x' }).events(
    { kind: 'lock' },
    { signal: left.signal },
  )) {
    seen.push([id, told.id]);
    if (told.id === 3) left.abort();
  }
  assert.deepEqual(seen, [
    ['cursor-1', 1],
    ['cursor-2', 2],
    ['cursor-3', 3],
  ]);
  assert.ok(received.every(({ line }) => line === 'GET /api/admin/events/stream?kind=lock'));
  assert.deepEqual(
    received.map(({ headers }) => headers['last-event-id']),
    [undefined, 'cursor-2', 'cursor-2', 'cursor-2'],
  );
});

test('the stream of a real service gives what happens', async (t) => {
  const service = await startTestService(t);
  const begun = Promise.withResolvers<void>();
  const noticing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.headers.get('content-type') === 'text/event-stream') begun.resolve();
    return response;
  };
  const key = await service.addApiKey('administrator');
  const admin = new AdminClient(service.url, { key }, { fetch: noticing });
  const { value } = await admin.call('GET /events', { query: { limit: '1' } });
  assert.equal(value.items.length, 1);
  const stream = admin.events({ kind: 'client-added' });
  const first = stream.next();
  await begun.promise;
  await admin.call('POST /clients', { body: { name: 'portal' } });
  const { value: message } = await first;
  assert.equal(message?.event.reason, 'portal');
  await stream.return();
});

test('a stream that is refused, or is none, throws', async (t) => {
  const service = await startTestService(t);
  const without = new AdminClient(service.url, { key: 'tsk_nobody' });
  const fault = await refused(without.events().next());
  assert.deepEqual([fault.status, fault.code], [401, 'admin_credential_needed']);
  const page = await scripted(t, { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' });
  await assert.rejects(new AdminClient(page.url, { key: 'tsk_x' }).events().next(), Unreadable);
  await assert.rejects(new AdminClient('http://127.0.0.1:1', { key: 'tsk_x' }).events().next(), Unreachable);
});

test('a change is sent once, and no error repeats the key', async (t) => {
  const key = 'tsk_a-key-of-nobody';
  const broken = await scripted(t, json({ code: 'store_unavailable', detail: `no ${key}` }, 503));
  const admin = new AdminClient(broken.url, { key }, { patience: 0 });
  const fault = await refused(admin.call('DELETE /clients/{name}', { path: { name: 'x' } }));
  assert.equal(fault.message, 'The server answered 503');
  assert.equal(broken.received.length, 1);
  assert.throws(
    () => new AdminClient(broken.url, { key: 'two words' }),
    /give a key, which begins with tsk_/,
  );
  const list: AdminList = 'GET /events';
  const html = await scripted(t, { status: 200, body: '<p>sign in</p>' });
  await assert.rejects(new AdminClient(html.url, { key }).list(list).next(), Unreadable);
});
