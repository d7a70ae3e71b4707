import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecretOf } from '../../../src/core/identity/client-secret.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import { asked, eventsByKeys } from '../admin/http/asked.ts';

const SETTINGS = { redirectUris: ['https://grafana.example.org/login/generic_oauth'] };
const put = (settings: object, headers: Record<string, string> = {}): RequestInit => ({
  method: 'PUT',
  body: JSON.stringify(settings),
  headers,
});
const stored = ({ store }: TestService, name: string) => store.read(({ clients }) => clients.find(name));

test('an application is added with a secret that is shown once, changed by its ETag, listed and removed', async (t) => {
  const service = await startTestService(t);
  const { status, body } = await asked(service, '/applications/grafana', put(SETTINGS));
  assert.equal(status, 200);
  const { secret, addedAt, ...rest } = body;
  assert.match(secret, /^SECRET_[0-9a-f]{64}$/);
  assert.deepEqual(rest, { name: 'grafana', hasSecret: true, settings: SETTINGS });
  assert.ok(isSecretOf(await stored(service, 'grafana'), secret));

  const shown = await asked(service, '/applications/grafana');
  assert.deepEqual(shown.body, { addedAt, ...rest });
  const etag = { 'if-match': shown.headers.get('etag') ?? '' };
  const titled = { ...SETTINGS, title: 'Grafana', groups: ['staff'] };
  const changed = await asked(service, '/applications/grafana', put(titled, etag));
  assert.deepEqual([changed.status, changed.body.secret], [200, undefined]);
  assert.equal((await asked(service, '/applications/grafana', put(SETTINGS, etag))).status, 412);
  assert.deepEqual((await asked(service, '/applications/grafana')).body.settings, titled);
  assert.ok(isSecretOf(await stored(service, 'grafana'), secret), 'a change keeps the secret');

  await asked(service, '/applications/grafana', put(titled));
  await asked(service, '/applications/alfresco', put(SETTINGS));
  const names = async (query = '') =>
    (await asked(service, `/applications${query}`)).body.items.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names(), ['alfresco', 'grafana']);
  const { next } = (await asked(service, '/applications?limit=1')).body;
  assert.deepEqual(await names(`?cursor=${next}`), ['grafana']);

  assert.equal((await asked(service, '/applications/grafana', { method: 'DELETE' })).status, 204);
  assert.equal((await asked(service, '/applications/grafana')).status, 404);
  assert.equal(await stored(service, 'grafana'), undefined, 'its client is gone, too');
  const events = (await eventsByKeys(service)).map(({ kind, reason }) => `${kind} ${reason}`);
  assert.deepEqual(events, [
    'application-added grafana',
    'application-changed grafana: title, groups',
    'application-added alfresco',
    'application-removed grafana',
  ]);
});

test('a registered client becomes an application with its secret, and a public one has none', async (t) => {
  const service = await startTestService(t);
  const client = await asked(service, '/clients', { method: 'POST', body: '{"name":"gateway"}' });
  const { body } = await asked(service, '/applications/gateway', put(SETTINGS));
  assert.deepEqual([body.secret, body.hasSecret], [undefined, true]);
  assert.ok(isSecretOf(await stored(service, 'gateway'), client.body.secret));

  const open = { ...SETTINGS, public: true };
  assert.equal((await asked(service, '/applications/gateway', put(open))).body.hasSecret, false);
  assert.equal(isSecretOf(await stored(service, 'gateway'), client.body.secret), false);
  const introspected = await fetch(`${service.url}/oauth2/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('gateway:')}` },
    body: new URLSearchParams({ token: 'x' }),
  });
  assert.equal(introspected.status, 401, 'without a secret it cannot ask about tickets');
  const closed = await asked(service, '/applications/gateway', put(SETTINGS));
  assert.ok(isSecretOf(await stored(service, 'gateway'), closed.body.secret), 'it gets a secret again');
});

test('another secret takes the place of the one before, and a public application gets none', async (t) => {
  const service = await startTestService(t);
  const { secret: before } = (await asked(service, '/applications/a', put(SETTINGS))).body;
  const { status, body } = await asked(service, '/applications/a/secret', { method: 'POST' });
  assert.equal(status, 201);
  const client = await stored(service, 'a');
  assert.deepEqual([isSecretOf(client, body.secret), isSecretOf(client, before)], [true, false]);
  await asked(service, '/applications/a', put({ ...SETTINGS, public: true }));
  assert.equal((await asked(service, '/applications/a/secret', { method: 'POST' })).status, 409);
  const reasons = (await eventsByKeys(service)).map(({ reason }) => reason);
  assert.deepEqual(reasons, ['a', 'a: secret', 'a: public, secret']);
});

test('of the same application added several times at once all calls agree, and one shows the secret', async (t) => {
  const service = await startTestService(t);
  const calls = await Promise.all([1, 2, 3].map(() => asked(service, '/applications/a', put(SETTINGS))));
  assert.deepEqual(
    calls.map(({ status }) => status),
    [200, 200, 200],
  );
  const secrets = calls.flatMap(({ body }) => body.secret ?? []);
  assert.equal(secrets.length, 1);
  assert.ok(isSecretOf(await stored(service, 'a'), secrets[0]));
});

test('what cannot be is refused with what is wrong, and changes nothing', async (t) => {
  const service = await startTestService(t);
  for (const [settings, why] of [
    [{ redirectUris: ['http://a.example/'] }, /redirectUris: .*http:\/\/a\.example\/.* is http/],
    [{ ...SETTINGS, flows: ['magic'] }, /flows/],
    [{ ...SETTINGS, secret: 'x' }, /not taken here/],
    [{ redirectUris: ['https://a.example/', 'https://b.example/'], pairwise: true }, /pairwise hangs on/],
    [{ ...SETTINGS, accessTokenLifetime: 5 }, /accessTokenLifetime/],
    [{}, /redirectUris/],
  ] as const) {
    const { status, body } = await asked(service, '/applications/a', put(settings));
    assert.equal(status, 400, JSON.stringify(settings));
    assert.match(JSON.stringify(body), why);
  }
  assert.equal((await asked(service, '/applications/a%20b', put(SETTINGS))).status, 400);
  assert.equal((await asked(service, '/applications/a', put(SETTINGS), 'operator')).status, 403);
  assert.deepEqual((await asked(service, '/applications')).body.items, []);
});
