import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { newGroup } from '../../../src/core/domain/group.ts';
import { startTestService } from '../../service/start.ts';
import { addApplication, goThrough, leadsTo, PROVIDER, RelyingParty } from './relying-party.ts';

const API = 'https://api.example.org/';
const STORE = 'https://store.example.org/v1';

test('an application gets tokens for the resources that it has listed, as the one that reads them has it', async (t) => {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  const secret = await addApplication(service, 'app', {
    trusted: true,
    actsForUser: true,
    flows: ['code', 'refresh', 'client_credentials'],
    resources: { [API]: 'api', [STORE]: 'store' },
  });
  const apiSecret = await addApplication(service, 'api');
  await addApplication(service, 'store', { accessTokens: 'opaque', groups: ['keepers'] });
  const party = await RelyingParty.discover(service, 'app', oidc.ClientSecretBasic(secret));
  const api = await RelyingParty.discover(service, 'api', oidc.ClientSecretBasic(apiSecret));
  const { configuration } = party;
  const visitor = party.visitor();

  const own = await party.signIn(visitor);
  assert.equal(decodeJwt(own.access_token).aud, 'app');
  const tokens = await party.signIn(visitor, { resource: API });
  const { aud, azp, preferred_username: name } = decodeJwt(tokens.access_token);
  assert.deepEqual([aud, azp, name], [API, 'app', 'anna']);
  const told = await oidc.tokenIntrospection(api.configuration, tokens.access_token);
  assert.deepEqual([told.active, told.aud, told.client_id], [true, API, 'app']);
  const refreshed = await oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
  assert.equal(decodeJwt(refreshed.access_token).aud, API);

  // It is for that resource alone.
  const sub = tokens.claims()?.sub ?? '';
  await assert.rejects(oidc.fetchUserInfo(configuration, tokens.access_token, sub), { status: 401 });
  const me = '/alfresco/api/-default-/public/alfresco/versions/1/people/-me-';
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const refused = await fetch(service.url + me, { headers });
  assert.equal(refused.status, 401);
  assert.match(await refused.text(), /own token for another resource/);

  const program = await oidc.clientCredentialsGrant(configuration, { resource: API });
  assert.equal(decodeJwt(program.access_token).aud, API);

  const begun = await party.begin({ resource: STORE });
  const callback = await goThrough(visitor, begun.path);
  await assert.rejects(party.tokensFor(callback, begun), { error: 'access_denied' });
  await service.store.write(async ({ users, groups }) => {
    const [user, group] = [await users.findByKey('anna'), await groups.add(newGroup('keepers'))];
    await groups.addUser(group?.id ?? assert.fail(), user?.id ?? assert.fail());
  });
  const opaque = await party.signIn(visitor, { resource: STORE });
  assert.doesNotMatch(opaque.access_token, /\./);
  const asked = () => oidc.tokenIntrospection(api.configuration, opaque.access_token);
  assert.equal((await asked()).aud, STORE);
  await service.store.write(async ({ users, groups }) => {
    const [user, group] = [await users.findByKey('anna'), await groups.findByKey('keepers')];
    await groups.removeUser(group?.id ?? assert.fail(), user?.id ?? assert.fail());
  });
  assert.equal((await asked()).active, false);
});

test('no application gets a token for a resource that is not listed for it, or whose application is gone', async (t) => {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  const settings = { trusted: true, public: true, resources: { [API]: 'gone' } };
  await addApplication(service, 'app', settings);
  await addApplication(service, 'api');
  const party = await RelyingParty.discover(service, 'app', oidc.None());
  for (const resource of [API, STORE, 'urn:tessera:application:api', 'constructor']) {
    const answer = await party.visitor().get((await party.begin({ resource })).path);
    assert.match(leadsTo(answer) ?? '', /error=invalid_target/, resource);
  }
  await addApplication(service, 'constructor', settings);
  const odd = await RelyingParty.discover(service, 'constructor', oidc.None());
  const { access_token: token } = await odd.signIn(odd.visitor());
  assert.equal(decodeJwt(token).aud, 'constructor');
});
