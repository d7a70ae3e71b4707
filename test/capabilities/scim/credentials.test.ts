import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../service/start.ts';
import { basic, logIn } from '../../service/talk.ts';
import { askScim, bearer, startScim } from './scim.ts';

test('SCIM is off unless it is set, and its paths then lead nowhere', async (t) => {
  const service = await startTestService(t);
  const key = await service.addApiKey('scim');
  for (const path of ['/Users', '/Groups', '/ServiceProviderConfig']) {
    const { status, body } = await askScim(service.url, `GET ${path}`, undefined, bearer(key));
    assert.deepEqual([status, body.status], [404, '404']);
  }
});

test('an API key that is for SCIM alone is the only credential', async (t) => {
  const { service, ask } = await startScim(t, { TESSERA_SCIM: 'true' });
  const ticket = await logIn(service.url);
  const [operator, administrator] = [
    await service.addApiKey('operator'),
    await service.addApiKey('administrator'),
  ];
  const refused = [
    [{}, 401],
    [basic('admin:correct-horse-battery'), 401],
    [basic(`ROLE_TICKET:${ticket}`), 401],
    [bearer(ticket), 401],
    [bearer('tsk_unknown'), 401],
    [bearer(await service.addApiKey('scim', Date.now() - 1)), 401],
    [bearer(operator), 403],
    [bearer(administrator), 403],
  ] as const;
  for (const what of ['GET /Users', 'GET /Groups', 'GET /Schemas', 'DELETE /Users/1'])
    for (const [headers, status] of refused) {
      const answer = await ask(what, undefined, { ...headers });
      assert.equal(answer.status, status, `${what} ${JSON.stringify(headers)}`);
      assert.deepEqual(answer.body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error']);
      const challenge = answer.headers.get('www-authenticate');
      assert.equal(challenge, status === 401 ? 'Bearer realm="Tessera"' : null);
    }
  const { detail } = (await ask('GET /Users', undefined, bearer(administrator))).body;
  assert.match(detail, /it needs an API key with the role scim: add one with "tessera api-keys add/);
  const byArgument = await ask(`GET /Users?alf_ticket=${ticket}`, undefined, {});
  assert.equal(byArgument.status, 401);
  assert.equal((await ask('GET /Users')).status, 200);
});

test('the service tells what it can do, and describes its schemas', async (t) => {
  const { ask } = await startScim(t);
  const { body } = await ask('GET /ServiceProviderConfig');
  assert.equal(body.patch.supported, true);
  assert.equal(body.filter.supported, true);
  assert.equal(body.bulk.supported, false);
  assert.equal(body.etag.supported, true);
  assert.equal(body.meta.location, '/scim/v2/ServiceProviderConfig');
  const types = (await ask('GET /ResourceTypes')).body.Resources;
  assert.deepEqual(
    types.map((each: { endpoint: string }) => each.endpoint),
    ['/Users', '/Groups'],
  );
  for (const of of [...types, ...(await ask('GET /Schemas')).body.Resources]) {
    const one = await ask(`GET ${of.meta.location.replace('/scim/v2', '')}`);
    assert.deepEqual(one.body, of);
  }
  assert.equal((await ask('GET /Schemas/urn:unknown')).status, 404);
  const userSchema = (await ask('GET /Schemas/urn:ietf:params:scim:schemas:core:2.0:User')).body;
  const password = userSchema.attributes.find((each: { name: string }) => each.name === 'password');
  assert.deepEqual([password.mutability, password.returned], ['writeOnly', 'never']);
});
