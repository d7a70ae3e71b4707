import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { Connection } from './connection.ts';
import { exchange } from './scenario.ts';

const SIGNED = 'Community v5.2.2 (r134898-b14)';

test('the version and edition that are set are announced, and are in every status document', async (t) => {
  const { url } = await startTestService(t, {
    TESSERA_ANNOUNCED_VERSION: '5.2.2 (r134898-b14)',
    TESSERA_ANNOUNCED_EDITION: 'Community',
  });
  const { text } = await exchange(url, 'GET /api/server');
  assert.equal(text, '{"data":{"edition":"Community","version":"5.2.2 (r134898-b14)","schema":"2039"}}');
  const refused = await exchange(url, 'GET /api/login.json?u=nobody&pw=wrong');
  assert.equal(JSON.parse(refused.text).server, SIGNED);
  const ticket = await logIn(url);
  const ended = await exchange(url, `DELETE /api/login/ticket/${ticket}?format=json&alf_ticket=${ticket}`);
  assert.equal(JSON.parse(ended.text).server, SIGNED);
  const page = await exchange(url, 'GET /nowhere', { headers: { accept: 'text/html' } });
  assert.ok(page.text.includes(`<dd>${SIGNED}</dd>`));
});

test('an unreadable request is refused in a document with the same signature', async (t) => {
  const { url } = await startTestService(t, {
    TESSERA_ANNOUNCED_VERSION: '7.4.0',
    TESSERA_ANNOUNCED_EDITION: 'Our Own',
  });
  const connection = await Connection.open(url);
  connection.say('no request\r\n\r\n');
  assert.match(await connection.untilClosed(), /"server":"Our Own v7\.4\.0"/);
});

test('the schema is the build of the version if that is a number', async (t) => {
  const { url } = await startTestService(t, { TESSERA_ANNOUNCED_VERSION: '4.2.0 (6033)' });
  const { text } = await exchange(url, 'GET /api/server');
  assert.equal(text, '{"data":{"edition":"Tessera","version":"4.2.0 (6033)","schema":"6033"}}');
});

for (const [announced, parts, display] of [
  ['3.2.0 (2039)', ['3', '2', '0', '0', '2039'], '3.2.0.0 (2039) schema 2039'],
  ['5.2.2.1 (r134898-b14)', ['5', '2', '2', '1', 'r134898-b14'], '5.2.2.1 (r134898-b14) schema 2039'],
  ['23.1.0', ['23', '1', '0', '0', ''], '23.1.0.0 schema 2039'],
] as const)
  test(`the v1 API tells version ${announced} by its parts`, async (t) => {
    const { url } = await startTestService(t, { TESSERA_ANNOUNCED_VERSION: announced });
    const ticket = await logIn(url);
    const { text } = await exchange(url, `GET /alfresco/api/discovery?alf_ticket=${ticket}`);
    const [major, minor, patch, hotfix, label] = parts;
    const { repository } = JSON.parse(text).entry;
    assert.equal(repository.edition, 'Tessera');
    assert.match(repository.id, /^[0-9a-f-]{32,36}$/);
    assert.deepEqual(repository.version, { major, minor, patch, hotfix, schema: 2039, label, display });
  });

test('whoever may read the index may read what the v1 API tells of the service', async (t) => {
  for (const [index, status] of [
    ['public', 200],
    ['user', 401],
    ['off', 404],
  ] as const) {
    const { url } = await startTestService(t, { TESSERA_INDEX: index });
    assert.equal((await exchange(url, 'GET /alfresco/api/discovery')).status, status, index);
  }
});
