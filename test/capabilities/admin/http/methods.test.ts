import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../../service/start.ts';
import { ask } from '../../../service/talk.ts';

const ORIGIN = 'https://portal.example.org';

test('PUT and PATCH are methods like the others', async (t) => {
  const service = await startTestService(t, { TESSERA_ALLOWED_ORIGINS: ORIGIN });
  await service.addUser('mia');
  const key = { authorization: `Bearer ${await service.addApiKey('administrator')}` };
  const user = `${service.url}/api/admin/users/mia`;

  await t.test('OPTIONS lists them, to a page of an allowed origin too', async () => {
    const { status, headers } = await ask(user, { method: 'OPTIONS', headers: { origin: ORIGIN } });
    assert.equal(status, 204);
    assert.match(headers.get('allow') ?? '', /\bPATCH\b/);
    assert.match(headers.get('access-control-allow-methods') ?? '', /\bPATCH\b/);
    assert.match(headers.get('access-control-allow-headers') ?? '', /\bIf-Match\b/);
  });

  await t.test('405 names them', async () => {
    const { status, headers } = await ask(user, { method: 'POST', headers: key });
    assert.equal(status, 405);
    assert.match(headers.get('allow') ?? '', /\bPATCH\b/);
  });

  await t.test('POST stands for them by X-HTTP-Method-Override', async () => {
    const patch = { ...key, 'x-http-method-override': 'PATCH' };
    const body = JSON.stringify({ email: 'mia@example.org' });
    const changed = await ask(user, { method: 'POST', headers: patch, body });
    assert.equal(changed.status, 204, changed.text);
    const { text } = await ask(user, { headers: key });
    assert.ok(text.includes('mia@example.org'));
  });

  await t.test('a page of another site is refused, by the override too', async () => {
    for (const how of [
      { method: 'PATCH', headers: { ...key, 'sec-fetch-site': 'cross-site' } },
      {
        method: 'POST',
        headers: { ...key, 'sec-fetch-site': 'cross-site', 'x-http-method-override': 'PATCH' },
      },
    ])
      assert.equal((await ask(user, { ...how, body: '{}' })).status, 403);
    const allowed = { ...key, 'sec-fetch-site': 'cross-site', origin: ORIGIN };
    assert.equal((await ask(user, { method: 'PATCH', headers: allowed, body: '{}' })).status, 204);
  });

  await t.test('a change is done if If-Match names what is there now', async () => {
    const change = (email: string, tag: string) =>
      ask(user, {
        method: 'PATCH',
        headers: { ...key, 'if-match': tag },
        body: JSON.stringify({ email }),
      });
    const tag = async () => (await ask(user, { headers: key })).headers.get('etag') ?? assert.fail('no ETag');
    const seen = await tag();
    assert.equal((await change('a@example.org', seen)).status, 204);
    assert.equal((await change('b@example.org', seen)).status, 412);
    // As nginx passes it on if it compresses.
    assert.equal((await change('b@example.org', `"old", W/${await tag()}`)).status, 204);
    assert.equal((await change('c@example.org', '*')).status, 204);
    assert.match((await ask(user, { headers: key })).text, /c@example\.org/);
  });
});
