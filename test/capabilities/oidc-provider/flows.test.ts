import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as oidc from 'openid-client';
import { formOn } from '../../faces/pages/browse.ts';
import { readPage } from '../../faces/pages/read-page.ts';
import { startTestService } from '../../service/start.ts';
import {
  addApplication,
  leadsTo,
  ORIGIN,
  PROVIDER,
  pathOf,
  RelyingParty,
  type WrittenSettings,
} from './relying-party.ts';

const LOGOUT = '/auth/realms/alfresco/protocol/openid-connect/logout';
const CONFIRM = `${LOGOUT}/confirm`;
const DEVICE = '/auth/realms/alfresco/device';

async function started(t: TestContext, settings: WrittenSettings = {}) {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  const secret = await addApplication(service, 'app', { trusted: true, title: 'The App', ...settings });
  const party = await RelyingParty.discover(service, 'app', oidc.ClientSecretBasic(secret));
  return { service, party, visitor: party.visitor() };
}

test('with offline_access an application has a ticket of its own, which outlives the log-out and is ended like any other', async (t) => {
  const { service, party, visitor } = await started(t);
  const online = await party.signIn(visitor);
  const offline = await party.signIn(visitor, { scope: 'openid offline_access', prompt: 'consent' });
  await visitor.send('/portal/account', '/portal/logout');
  await assert.rejects(oidc.refreshTokenGrant(party.configuration, online.refresh_token ?? ''), {
    error: 'invalid_grant',
  });
  const later = await oidc.refreshTokenGrant(party.configuration, offline.refresh_token ?? '');

  await visitor.signIn('anna');
  const account = readPage(await (await visitor.get('/portal/account')).text());
  assert.match(account.text, /application app/);
  await visitor.send('/portal/account', '/portal/account/tickets/end');
  await assert.rejects(oidc.refreshTokenGrant(party.configuration, later.refresh_token ?? ''), {
    error: 'invalid_grant',
  });
  assert.equal(service.lines.join('').includes('"level":50'), false);
});

test('an application of ADF signs in with the secret that ADF always sends, and one with a secret of its own does not', async (t) => {
  const { service, visitor } = await started(t);
  await addApplication(service, 'adf', { public: true, trusted: true });
  const withDummy = (name: string) =>
    RelyingParty.discover(service, name, oidc.ClientSecretPost('dummyClientSecret'));
  assert.ok((await (await withDummy('adf')).signIn(visitor)).access_token);
  await assert.rejects(async () => (await withDummy('app')).signIn(visitor), { error: 'invalid_client' });
});

test('an application gets tokens for itself, which end with it', async (t) => {
  const { service, party } = await started(t, { flows: ['client_credentials'], accessTokens: 'opaque' });
  const tokens = await oidc.clientCredentialsGrant(party.configuration);
  const secret = await addApplication(service, 'asker');
  const asker = await RelyingParty.discover(service, 'asker', oidc.ClientSecretBasic(secret));
  const about = await oidc.tokenIntrospection(asker.configuration, tokens.access_token);
  assert.equal(about.active, true);
  assert.equal(about.client_id, 'app');
  await service.store.write(({ clients }) => clients.remove('app'));
  assert.deepEqual(await oidc.tokenIntrospection(asker.configuration, tokens.access_token), {
    active: false,
  });
});

test('a device is signed in by the code that it shows, with a ticket of its own', async (t) => {
  const { party, visitor } = await started(t, { flows: ['device_code', 'refresh'], redirectUris: [] });
  const begun = await oidc.initiateDeviceAuthorization(party.configuration, { scope: 'openid profile' });
  assert.equal(pathOf(begun.verification_uri), DEVICE);
  await visitor.signIn('anna');
  const entered = await (await visitor.get(DEVICE)).text();
  const confirm = await visitor.post(DEVICE, { ...formOn(entered, DEVICE), user_code: begun.user_code });
  const asked = await confirm.text();
  assert.match(readPage(asked).text, /Sign in The App\?.*The device shows this code/);
  const { abort: _, ...fields } = formOn(asked, DEVICE) ?? {};
  const done = await visitor.post(DEVICE, { ...fields, confirm: 'yes' });
  assert.equal(readPage(await done.text()).heading, 'The device is signed in');
  const tokens = await oidc.pollDeviceAuthorizationGrant(party.configuration, { ...begun, interval: 0.1 });
  assert.equal(tokens.claims()?.preferred_username, 'anna');
  await visitor.send('/portal/account', '/portal/logout');
  const later = await oidc.refreshTokenGrant(party.configuration, tokens.refresh_token ?? '');
  assert.ok(later.access_token);
});

test('a device whose user refuses, or types another code, is not signed in', async (t) => {
  const { party, visitor } = await started(t, { flows: ['device_code'], redirectUris: [] });
  const begun = await oidc.initiateDeviceAuthorization(party.configuration, { scope: 'openid' });
  await visitor.signIn('anna');
  const entered = await (await visitor.get(DEVICE)).text();
  const wrong = await visitor.post(DEVICE, { ...formOn(entered, DEVICE), user_code: 'BBBB-BBBB' });
  const again = await wrong.text();
  assert.match(readPage(again).text, /This code is wrong/);
  const asked = await (
    await visitor.post(DEVICE, { ...formOn(again, DEVICE), user_code: begun.user_code })
  ).text();
  const { confirm: _, ...fields } = formOn(asked, DEVICE) ?? {};
  await visitor.post(DEVICE, { ...fields, abort: 'yes' });
  await assert.rejects(oidc.pollDeviceAuthorizationGrant(party.configuration, { ...begun, interval: 0.1 }), {
    error: 'access_denied',
  });
});

test('an application signs a person out: the ticket ends, and the browser goes back to a registered address alone', async (t) => {
  const back = 'https://app.example.net/bye';
  const { party, visitor } = await started(t, { postLogoutRedirectUris: [back] });
  const tokens = await party.signIn(visitor);
  const hint = tokens.id_token ?? '';
  const stray = await visitor.get(
    `${LOGOUT}?${new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: 'https://evil.example.com/' })}`,
  );
  assert.equal(stray.status, 400);
  const url = oidc.buildEndSessionUrl(party.configuration, {
    id_token_hint: hint,
    post_logout_redirect_uri: back,
    state: 's1',
  });
  const page = await (await visitor.get(pathOf(url.href))).text();
  assert.match(readPage(page).text, /The App asks to sign you out/);
  const forged = await visitor.post(CONFIRM, { xsrf: 'wrong', logout: 'yes' });
  assert.equal(forged.status, 400);
  const done = await visitor.post(CONFIRM, formOn(page, CONFIRM) ?? {});
  assert.equal(leadsTo(done), `${back}?state=s1`);
  assert.equal(visitor.cookies.has('tessera'), false);
  await assert.rejects(oidc.refreshTokenGrant(party.configuration, tokens.refresh_token ?? ''), {
    error: 'invalid_grant',
  });
  assert.equal((await visitor.get('/portal/account')).status, 303);

  const unasked = await visitor.get(pathOf(url.href));
  assert.ok(formOn(await unasked.text(), `${ORIGIN}${CONFIRM}`));
});
