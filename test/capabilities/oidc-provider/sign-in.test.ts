import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as oidc from 'openid-client';
import { startTestService } from '../../service/start.ts';
import { addApplication, ISSUER, ORIGIN, RelyingParty } from './relying-party.ts';

test('an application signs a person in by code and PKCE, reads claims, refreshes, and ends with the log-out', async (t) => {
  const service = await startTestService(t, { TESSERA_ISSUER: ORIGIN });
  await service.addUser('anna');
  const secret = await addApplication(service, 'grafana', { title: 'Grafana' });
  const party = await RelyingParty.discover(service, 'grafana', oidc.ClientSecretBasic(secret));
  const { token_endpoint: endpoint } = party.configuration.serverMetadata();
  assert.equal(endpoint, `${ISSUER}/protocol/openid-connect/token`);

  const visitor = party.visitor();
  const tokens = await party.signIn(visitor);
  const claims = tokens.claims();
  assert.equal(claims?.preferred_username, 'anna');
  const subject = claims?.sub ?? '';
  const told = await oidc.fetchUserInfo(party.configuration, tokens.access_token, subject);
  assert.equal(told.preferred_username, 'anna');

  const refreshed = await oidc.refreshTokenGrant(party.configuration, tokens.refresh_token ?? '');
  assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
  const active = await oidc.tokenIntrospection(party.configuration, refreshed.access_token);
  assert.equal(active.active, true);

  await visitor.send('/portal/account', '/portal/logout');
  const refused = { error: 'invalid_grant', status: 400 };
  await assert.rejects(oidc.refreshTokenGrant(party.configuration, refreshed.refresh_token ?? ''), refused);
  const dead = await oidc.tokenIntrospection(party.configuration, refreshed.access_token);
  assert.deepEqual(dead, { active: false });
});
