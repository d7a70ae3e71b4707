import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as oidc from 'openid-client';
import { addAppPassword, dropAppPassword } from '../../service/app-passwords.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { addApplication, goThrough, PROVIDER, RelyingParty, type WrittenSettings } from './relying-party.ts';

const PROTOCOL = '/auth/realms/alfresco/protocol/openid-connect';

async function started(t: TestContext, settings: WrittenSettings) {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  const secret = await addApplication(service, 'app', { trusted: true, ...settings });
  const party = await RelyingParty.discover(service, 'app', oidc.ClientSecretBasic(secret));
  const byPassword = (username: string, password: string) =>
    oidc.genericGrantRequest(party.configuration, 'password', { username, password, scope: 'profile' });
  return { service, party, byPassword };
}

const REFUSED = { error: 'invalid_grant', status: 400 };

test('an app password gets tokens where the application is registered for it, and the own password never does', async (t) => {
  const { service, party, byPassword } = await started(t, { flows: ['password', 'refresh'] });
  const appPassword = await addAppPassword(service.store, 'anna');
  const tokens = await byPassword('anna', appPassword);
  const about = await oidc.tokenIntrospection(party.configuration, tokens.access_token);
  assert.deepEqual([about.active, about.preferred_username], [true, 'anna']);
  const later = await oidc.refreshTokenGrant(party.configuration, tokens.refresh_token ?? '');
  assert.ok(later.access_token);
  await assert.rejects(byPassword('anna', PASSWORD), REFUSED);
  await assert.rejects(byPassword('anna', 'tap_wrong'), REFUSED);
  await assert.rejects(byPassword('nobody', appPassword), REFUSED);
  await dropAppPassword(service.store, 'anna');
  await assert.rejects(byPassword('anna', appPassword), REFUSED);
  await assert.rejects(oidc.refreshTokenGrant(party.configuration, later.refresh_token ?? ''), REFUSED);
});

test('passwords and the implicit flow are off for an application that is not registered for them', async (t) => {
  const { service, party, byPassword } = await started(t, {});
  const appPassword = await addAppPassword(service.store, 'anna');
  await assert.rejects(byPassword('anna', appPassword), { error: 'invalid_request', status: 400 });
  const implicit = new URLSearchParams({
    ...{ client_id: 'app', response_type: 'id_token token', nonce: 'n', scope: 'openid profile' },
    redirect_uri: 'https://app.example.net/callback',
  });
  const path = `${PROTOCOL}/auth?${implicit}`;
  assert.match(await goThrough(party.visitor(), path), /#error=invalid_request&/);

  await addApplication(service, 'old', { trusted: true, public: true, flows: ['implicit'] });
  implicit.set('client_id', 'old');
  const callback = new URL(await goThrough(party.visitor(), `${PROTOCOL}/auth?${implicit}`));
  const answer = new URLSearchParams(callback.hash.slice(1));
  assert.ok(answer.get('access_token'));
  assert.ok(answer.get('id_token'));
});
