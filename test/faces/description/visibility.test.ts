import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../../src/main/operations.ts';
import { openMemory } from '../../engines/memory/open.ts';
import { startTestService } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';

const described = operations.filter(({ describes }) => describes);
const PATHS = [
  '/index',
  '/index/uri',
  '/openapi.json',
  '/reference',
  '/reference/script.js',
  '/reference/style.css',
];

test('with TESSERA_INDEX=public everybody may read the description of the service', async (t) => {
  assert.notEqual(described.length, 0);
  const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
  for (const path of PATHS) assert.equal((await ask(url + path)).status, 200, path);
});

test('when nothing is set, only users may read it, and the document says so', async (t) => {
  const { url } = await startTestService(t, {}, openMemory);
  const authorization = `Bearer ${await logIn(url)}`;
  for (const path of PATHS) {
    const { status, headers } = await ask(url + path);
    assert.equal(status, 401, path);
    assert.ok(headers.has('www-authenticate'));
    assert.equal((await ask(url + path, { headers: { authorization } })).status, 200, path);
  }
  const { text } = await ask(`${url}/openapi.json`, { headers: { authorization } });
  const { paths } = JSON.parse(text);
  assert.equal(paths['/openapi'].get['x-authentication'], 'user');
  assert.equal(paths['/openapi'].get['x-transaction'], 'required');
  assert.equal(paths['/api/server'].get['x-authentication'], 'none');
});

test('what only users may read is kept in no shared cache', async (t) => {
  const { url } = await startTestService(t, { TESSERA_INDEX: 'user' }, openMemory);
  const authorization = `Bearer ${await logIn(url)}`;
  const { text } = await ask(`${url}/reference`, { headers: { authorization } });
  const [, script = ''] = /src="([^"]*)"/.exec(text) ?? [];
  const { headers } = await ask(url + script, { headers: { authorization } });
  assert.equal(headers.get('cache-control'), 'private, max-age=31536000, immutable');
});

test('switched off, no description is served, and every other operation answers', async (t) => {
  const { url } = await startTestService(t, { TESSERA_INDEX: 'off' }, openMemory);
  for (const path of PATHS) assert.equal((await ask(url + path)).status, 404, path);
  assert.equal((await ask(`${url}/api/server`)).status, 200);
  assert.match(await logIn(url), /^TICKET_/);
});
