import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, type TestService } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';
import { until } from '../../service/until.ts';

const bearer = (credential: string) => ({ headers: { authorization: `Bearer ${credential}` } });

const status = ({ url }: TestService, key: string) => ask(`${url}/api/admin/status`, bearer(key));

async function lastUse({ store }: TestService): Promise<number | undefined> {
  const [key] = await store.read((unit) => unit.apiKeys.list());
  return key?.usedAt;
}

const events = ({ store }: TestService) => store.read((unit) => unit.events.list({}));

test('the use of an API key is stored soon after the answer, and then once a minute', async (t) => {
  const service = await startTestService(t);
  service.stopClock();
  const key = await service.addApiKey('operator');
  assert.equal((await status(service, key)).status, 200);
  await until('the first use', async () => (await lastUse(service)) !== undefined);
  const first = await lastUse(service);
  service.shiftClock(59_000);
  await status(service, key);
  service.shiftClock(1_000);
  await status(service, key);
  await until('the next use', async () => (await lastUse(service)) !== first);
  assert.equal(await lastUse(service), (first ?? 0) + 60_000);
});

test('an API key is refused from the moment on when it expires', async (t) => {
  const service = await startTestService(t);
  service.stopClock();
  const key = await service.addApiKey('operator', Date.now() + 60_000);
  assert.equal((await status(service, key)).status, 200);
  service.shiftClock(120_000);
  assert.equal((await status(service, key)).status, 401);
});

test('refused API keys are counted in the events, a known one by its name', async (t) => {
  const service = await startTestService(t);
  const expired = await service.addApiKey('operator', 1);
  const [kept] = await service.store.read((unit) => unit.apiKeys.list());
  for (const key of [expired, 'tsk_guessed', 'tsk_guessed-too']) await status(service, key);
  const refused = async () => (await events(service)).filter(({ kind }) => kind === 'api-key-refused');
  await until('the counts', async () => (await refused()).length === 2);
  assert.deepEqual(
    (await refused()).map(({ reason, count }) => [reason, count]).toSorted(),
    [
      [`expired API key ${kept?.name}`, 1],
      ['unknown API key', 2],
    ].toSorted(),
  );
});

test('an event says who did it: the user of a ticket by name, or the API key', async (t) => {
  const service = await startTestService(t);
  const key = await service.addApiKey('administrator');
  const [kept] = await service.store.read((unit) => unit.apiKeys.list());
  const add = (name: string, credential: string) =>
    ask(`${service.url}/api/admin/api-keys`, {
      ...bearer(credential),
      method: 'POST',
      body: JSON.stringify({ name, role: 'auditor' }),
    });
  assert.equal((await add('by-key', key)).status, 201);
  assert.equal((await add('by-user', await logIn(service.url))).status, 201);
  const added = (await events(service)).filter(({ kind }) => kind === 'api-key-added');
  assert.deepEqual(
    added.map(({ actor, reason, from }) => [actor, reason, from]),
    [
      [`key:${kept?.name}`, 'by-key: auditor', '127.0.0.1'],
      ['admin', 'by-user: auditor', '127.0.0.1'],
    ],
  );
});

test('a new API key works, and no log line and no event holds it', async (t) => {
  const service = await startTestService(t);
  const { text } = await ask(`${service.url}/api/admin/api-keys`, {
    ...bearer(await logIn(service.url)),
    method: 'POST',
    body: JSON.stringify({ name: 'deploy', role: 'operator', expiresAt: '2999-01-01T00:00:00Z' }),
  });
  const { key, expiresAt } = JSON.parse(text);
  assert.match(key, /^tsk_[\w-]{43}$/);
  assert.equal(expiresAt, '2999-01-01T00:00:00.000Z');
  assert.equal((await status(service, key)).status, 200);
  assert.equal((await status(service, `${key.slice(0, -1)}_`)).status, 401);
  assert.ok(service.lines.some((line) => line.includes('"client":"key:deploy"')));
  const kept = JSON.stringify([await events(service), service.lines]);
  assert.ok(!kept.includes(key));
  const listed = await ask(`${service.url}/api/admin/api-keys`, bearer(key));
  assert.ok(!listed.text.includes(key) && listed.text.includes('"deploy"'));
});

test('tries without the role that they take are counted in the events, by user or API key', async (t) => {
  const service = await startTestService(t);
  service.stopClock();
  const key = await service.addApiKey('operator');
  const [kept] = await service.store.read((unit) => unit.apiKeys.list());
  await service.addUser('bob');
  const ticket = await logIn(service.url, 'bob');
  const end = (credential: string) =>
    ask(`${service.url}/api/admin/users/bob`, { ...bearer(credential), method: 'DELETE' });
  for (const credential of [key, key, ticket]) assert.equal((await end(credential)).status, 403);
  assert.equal((await status(service, ticket)).status, 403);
  const refused = async () => (await events(service)).filter(({ kind }) => kind === 'role-refused');
  await until('the counts', async () => (await refused()).length === 3);
  assert.deepEqual(
    (await refused()).map(({ user, reason, count, from }) => [user, reason, count, from]).toSorted(),
    [
      [undefined, `it needs administrator: API key ${kept?.name}`, 2, '127.0.0.1'],
      ['bob', 'it needs administrator', 1, '127.0.0.1'],
      ['bob', 'it needs operator', 1, '127.0.0.1'],
    ].toSorted(),
  );
});

test('an API key that is used after its ETag was read is removed with that ETag, and no other key is', async (t) => {
  const service = await startTestService(t);
  service.stopClock();
  const ticket = await logIn(service.url);
  const key = await service.addApiKey('operator');
  const [kept] = await service.store.read((unit) => unit.apiKeys.list());
  const at = (name?: string) => `${service.url}/api/admin/api-keys/${name}`;
  const tagOf = async (url: string) =>
    (await ask(url, bearer(ticket))).headers.get('etag') ?? assert.fail('no ETag');
  const tag = await tagOf(at(kept?.name));
  assert.equal((await status(service, key)).status, 200);
  await until('its use', async () => (await lastUse(service)) !== undefined);
  assert.notEqual(await tagOf(at(kept?.name)), tag, 'a cache is not told of the use');
  const removed = (etag: string, url: string) =>
    ask(url, { method: 'DELETE', headers: { ...bearer(ticket).headers, 'if-match': etag } });
  await service.addApiKey('auditor');
  const other = (await service.store.read((unit) => unit.apiKeys.list())).find(
    ({ name }) => name !== kept?.name,
  );
  assert.equal((await removed(tag, at(other?.name))).status, 412);
  assert.equal((await removed(`"other", W/${tag}`, at(kept?.name))).status, 204);
});
