import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../../service/start.ts';
import { ask } from '../../../service/talk.ts';

test('every error below /api/admin is a problem document, whatever the caller accepts', async (t) => {
  const service = await startTestService(t);
  const headers = {
    authorization: `Bearer ${await service.addApiKey('administrator')}`,
    accept: 'text/html',
  };
  const keys = '/api/admin/api-keys';
  const post = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });
  const cases: readonly [string, number, string, RequestInit?][] = [
    ['/api/admin/nothing', 404, 'path_unknown'],
    [`${keys}/nothing`, 404, 'api_key_not_found'],
    [keys, 405, 'method_wrong', { method: 'PUT' }],
    [`${keys}?format=xml`, 406, 'format_unknown'],
    [`${keys}?limit=1001`, 400, 'argument_invalid'],
    [`${keys}?cursor=x`, 400, 'cursor_invalid'],
    [keys, 400, 'body_unreadable', post([])],
    [keys, 400, 'body_unreadable', post({ name: 'a', role: 'auditor', rolle: 'auditor' })],
    [keys, 400, 'body_invalid', post({ name: 'a b', role: 'auditor' })],
    [keys, 400, 'body_invalid', post({ name: 'a', role: 'auditor', expiresAt: 'tomorrow' })],
    [keys, 400, 'body_invalid', post({ name: 'a', role: 'auditor', expiresAt: '2001-01-01T00:00:00Z' })],
  ];
  for (const base of ['', '/alfresco/service'])
    for (const [target, status, code, init] of cases) {
      const answered = await ask(service.url + base + target, { ...init, headers });
      assert.equal(answered.status, status, target);
      assert.equal(answered.headers.get('content-type'), 'application/problem+json');
      assert.deepEqual(Object.keys(JSON.parse(answered.text)), ['type', 'title', 'status', 'detail', 'code']);
      assert.equal(JSON.parse(answered.text).code, code);
    }
});

test('the fault of a value says which one, and what is right', async (t) => {
  const service = await startTestService(t);
  const headers = { authorization: `Bearer ${await service.addApiKey('administrator')}` };
  const detail = async (target: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const { text } = await ask(`${service.url}/api/admin/api-keys${target}`, { ...init, headers });
    return JSON.parse(text).detail;
  };
  assert.match(
    await detail('', { name: 'a', role: 'god' }),
    /: role is one of auditor, operator, administrator, scim$/,
  );
  assert.match(
    await detail('', { name: 'a', role: 'auditor', rolle: 1 }),
    /: it takes name, role, expiresAt$/,
  );
  assert.match(await detail('?limit=0'), /: limit \(how many items a page has at most, .* from 1 to 1000/);
  assert.match(await detail('?cursor=x'), /begin without one/);
});

test('the pages of a list have every item once', async (t) => {
  const service = await startTestService(t);
  const key = await service.addApiKey('administrator');
  const headers = { authorization: `Bearer ${key}` };
  for (const name of ['b', 'a', 'C', 'd', 'A-1'])
    await service.store.write(({ apiKeys }) =>
      apiKeys.add({
        ...{ name, digest: Buffer.from(name.padEnd(32)), role: 'auditor', addedAt: 1 },
        ...{ expiresAt: undefined, usedAt: undefined },
      }),
    );
  const names: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined; pages += 1) {
    const { text } = await ask(`${service.url}/api/admin/api-keys?limit=2&cursor=${cursor}`, { headers });
    const { items, next } = JSON.parse(text) as { items: { name: string }[]; next?: string };
    names.push(...items.map(({ name }) => name));
    cursor = next;
  }
  assert.equal(pages, 3);
  assert.deepEqual(
    names.filter((name) => !name.startsWith('administrator')),
    ['A-1', 'C', 'a', 'b', 'd'],
  );
});
