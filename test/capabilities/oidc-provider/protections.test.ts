import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as oidc from 'openid-client';
import type { Ticket } from '../../../src/core/domain/ticket.ts';
import { digestOf } from '../../../src/core/gate/tickets.ts';
import { StoreUnavailable } from '../../../src/core/storage/store.ts';
import { formOn } from '../../faces/pages/browse.ts';
import { startTestService, type TestService, temporaryFolder } from '../../service/start.ts';
import {
  addApplication,
  goThrough,
  ISSUER,
  leadsTo,
  ORIGIN,
  PROVIDER,
  pathOf,
  REDIRECT,
  RelyingParty,
} from './relying-party.ts';

const PROTOCOL = '/auth/realms/alfresco/protocol/openid-connect';
const REFUSED = { error: 'invalid_grant', status: 400 };

/** A service with anna, and an application that needs no consent. */
async function started(t: Parameters<typeof startTestService>[0], settings = {}, env = {}) {
  const service = await startTestService(t, { ...PROVIDER, ...env });
  await service.addUser('anna');
  const secret = await addApplication(service, 'app', { trusted: true, ...settings });
  const authentication = secret === undefined ? oidc.None() : oidc.ClientSecretBasic(secret);
  return {
    service,
    secret,
    authentication,
    party: await RelyingParty.discover(service, 'app', authentication),
  };
}

const refresh = (
  { configuration }: RelyingParty,
  { refresh_token: token = '' }: oidc.TokenEndpointResponse,
) => oidc.refreshTokenGrant(configuration, token);

test('a code that is used twice, at two instances at once, gives one grant at most, and none that lasts', async (t) => {
  const TESSERA_SECRET_KEYS_FILE = join(await temporaryFolder(t), 'keys');
  const { service, party, authentication } = await started(t, {}, { TESSERA_SECRET_KEYS_FILE });
  const twin = await startTestService(t, { ...PROVIDER, TESSERA_SECRET_KEYS_FILE }, () => service.store);
  const other = await RelyingParty.discover(twin, 'app', authentication);
  const begun = await party.begin();
  const callback = await goThrough(party.visitor(), begun.path);
  const uses = await Promise.allSettled([party.tokensFor(callback, begun), other.tokensFor(callback, begun)]);
  const granted = uses.flatMap((use) => (use.status === 'fulfilled' ? [use.value] : []));
  assert.ok(granted.length <= 1);
  for (const tokens of granted) await assert.rejects(refresh(party, tokens), REFUSED);
});

test('a code, or a refresh token that was rotated, ends the grant when it is used again', async (t) => {
  const { party } = await started(t);
  const begun = await party.begin();
  const callback = await goThrough(party.visitor(), begun.path);
  const tokens = await party.tokensFor(callback, begun);
  await assert.rejects(party.tokensFor(callback, begun), REFUSED);
  await assert.rejects(refresh(party, tokens), REFUSED);

  const second = await party.signIn(party.visitor());
  const rotated = await refresh(party, second);
  await assert.rejects(refresh(party, second), REFUSED);
  await assert.rejects(refresh(party, rotated), REFUSED);
});

/** Everything that the service has on disk. */
const stored = ({ data }: TestService) =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

test('no code, token or secret of an application stands anywhere in the store', async (t) => {
  for (const accessTokens of ['jwt', 'opaque'] as const) {
    const { service, party, secret } = await started(t, { accessTokens });
    const begun = await party.begin();
    const callback = await goThrough(party.visitor(), begun.path);
    const tokens = await party.tokensFor(callback, begun);
    const later = await refresh(party, tokens);
    const code = new URL(callback).searchParams.get('code');
    const step = /auth\/([\w-]{43})/.exec(service.lines.join(''))?.[1];
    const all = stored(service);
    assert.ok(all.includes('AuthorizationCode'));
    for (const value of [
      code,
      secret,
      step,
      tokens.access_token,
      tokens.refresh_token,
      later.access_token,
      later.refresh_token,
    ])
      assert.ok(value === undefined || !all.includes(String(value)), String(value));
    assert.ok(!service.lines.join('').includes(String(code)));
  }
});

test('every address comes from the issuer, whatever host the request names', async (t) => {
  const { service, authentication } = await started(t);
  const forged = {
    'X-Forwarded-Host': 'evil.example.com',
    'X-Forwarded-Proto': 'http',
    Forwarded: 'host=evil.example.com',
  };
  const party = await RelyingParty.discover(service, 'app', authentication, forged);
  const metadata = JSON.stringify(party.configuration.serverMetadata());
  assert.ok(!/evil|127\.0\.0\.1/.test(metadata), metadata);
  const begun = await party.begin();
  const response = await party.visitor().get(begun.path, forged);
  const address = new URL(leadsTo(response) ?? '');
  assert.equal(address.origin, new URL(ISSUER).origin);
  const callback = await goThrough(party.visitor(), begun.path);
  assert.equal(new URL(callback).searchParams.get('iss'), ISSUER);
});

test('an application without the right secret, address or proof gets nothing, and nobody is led astray', async (t) => {
  const { service, party } = await started(t);
  const wrong = await RelyingParty.discover(service, 'app', oidc.ClientSecretPost('SECRET_wrong'));
  const begun = await party.begin();
  const callback = await goThrough(party.visitor(), begun.path);
  await assert.rejects(wrong.tokensFor(callback, begun), { error: 'invalid_client', status: 401 });
  const stray = await party.begin({ redirect_uri: 'https://evil.example.com/callback' });
  const refused = await party.visitor().get(stray.path);
  assert.equal(refused.status, 400);
  assert.equal(leadsTo(refused), undefined);
  const page = await refused.text();
  assert.match(page, /invalid_redirect_uri<.code>: <code>https:..evil.example.com.callback</);
  assert.ok(!page.includes('href="https://evil'));
  for (const reason of [
    'invalid_client: client authentication failed',
    'invalid_redirect_uri: redirect_uri did not',
  ])
    assert.ok(
      service.lines.some((line) => line.includes(`"client":"app"`) && line.includes(`"reason":"${reason}`)),
      reason,
    );
  assert.match(refused.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  assert.equal(refused.headers.get('access-control-allow-credentials'), null);

  await addApplication(service, 'browser', { public: true, trusted: true });
  const open = await RelyingParty.discover(service, 'browser', oidc.None());
  const unproved = await open
    .visitor()
    .get(
      `${PROTOCOL}/auth?${new URLSearchParams({ client_id: 'browser', response_type: 'code', scope: 'openid', redirect_uri: REDIRECT })}`,
    );
  assert.match(leadsTo(unproved) ?? '', /error=invalid_request/);
  const tokens = await open.signIn(open.visitor());
  assert.equal(tokens.claims()?.azp ?? tokens.claims()?.aud, 'browser');
});

test('a code with a challenge needs its verifier, and one without a challenge takes none', async (t) => {
  const { service, party, secret } = await started(t);
  const visitor = party.visitor();
  const tokensFor = async (path: string, more: Record<string, string>) => {
    const code = new URL(await goThrough(visitor, path)).searchParams.get('code') ?? '';
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      redirect_uri: REDIRECT,
      code,
      ...more,
    });
    const headers = { authorization: `Basic ${btoa(`app:${secret}`)}` };
    return fetch(`${service.url}${PROTOCOL}/token`, { method: 'POST', body, headers });
  };
  const proved = await party.begin();
  const { pkceCodeVerifier: code_verifier = '' } = proved.checks;
  assert.equal((await tokensFor(proved.path, {})).status, 400);
  assert.equal((await tokensFor(proved.path, { code_verifier: `${code_verifier}x` })).status, 400);
  const unproved = proved.path.replace(/&code_challenge(?:_method)?=[^&]*/g, '');
  assert.equal((await tokensFor(unproved, { code_verifier })).status, 400);
  assert.equal((await tokensFor(unproved, {})).status, 200);
  assert.equal((await tokensFor(proved.path, { code_verifier })).status, 200);
});

test('whatever ends the ticket ends all that hangs on it, for the very next request', async (t) => {
  const { service, party } = await started(t);
  const visitor = party.visitor();
  const tokens = await party.signIn(visitor);
  await service.store.write(async ({ users }) => {
    const user = await users.findByKey('anna');
    await users.change(user?.id ?? 0, { generation: (user?.generation ?? 0) + 1 });
  });
  assert.deepEqual(await oidc.tokenIntrospection(party.configuration, tokens.access_token), {
    active: false,
  });
  await assert.rejects(refresh(party, tokens), REFUSED);
  const silent = await party.begin({ prompt: 'none' });
  assert.match(leadsTo(await visitor.get(silent.path)) ?? '', /error=login_required/);
});

test('a store that cannot answer is unavailable, and no grant is invalid', async (t) => {
  const { service, party, secret } = await started(t);
  const tokens = await party.signIn(party.visitor());
  const { store } = service;
  const { read, write } = store;
  const broken = () => Promise.reject(new StoreUnavailable('closed'));
  Object.assign(store, { read: broken, write: broken });
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token ?? '',
  });
  const headers = { authorization: `Basic ${btoa(`app:${secret}`)}` };
  const answer = await fetch(`${service.url}${PROTOCOL}/token`, { method: 'POST', body, headers });
  assert.equal(answer.status, 503);
  assert.equal(((await answer.json()) as { error: string }).error, 'temporarily_unavailable');
  Object.assign(store, { read, write });
  assert.ok((await refresh(party, tokens)).access_token);
});

test('consent is asked once, and who refuses is led back', async (t) => {
  const { party } = await started(t, { trusted: false });
  const begun = await party.begin();
  const callback = await goThrough(party.visitor(), begun.path, 'anna', 'no');
  assert.equal(new URL(callback).searchParams.get('error'), 'access_denied');
  const visitor = party.visitor();
  await party.signIn(visitor);
  const silent = await party.begin({ prompt: 'none' });
  assert.match(leadsTo(await visitor.get(silent.path)) ?? '', /code=/);
  const asked = await party.begin({ prompt: 'consent' });
  assert.match(leadsTo(await visitor.get(asked.path)) ?? '', /\/portal\/applications\/consent/);
  assert.match(await goThrough(visitor, asked.path), /code=/);
  const odd = await party.begin({ prompt: 'consent', scope: 'openid constructor' });
  assert.match(await goThrough(visitor, odd.path), /code=/);
});

test('each sign-in at a program on the computer is asked about, unless it is trusted: another program can come as this one', async (t) => {
  const redirectUris = ['http://127.0.0.1/cb'];
  const { service, party } = await started(t, { trusted: false, public: true, redirectUris });
  await addApplication(service, 'own', { trusted: true, public: true, redirectUris });
  const own = await RelyingParty.discover(service, 'own', oidc.None());
  const visitor = party.visitor();
  await visitor.signIn('anna');
  const ask = async ({ path }: { path: string }) => leadsTo(await visitor.get(path)) ?? '';
  const consent = await ask(await party.begin({ redirect_uri: 'http://127.0.0.1:4000/cb' }));
  const form = '/portal/applications/consent';
  const page = await (await visitor.get(pathOf(consent))).text();
  const given = await visitor.post(form, { ...formOn(page, form), decision: 'yes' });
  const done = await visitor.get(pathOf(leadsTo(given) ?? ''));
  assert.match(leadsTo(done) ?? '', /^http:\/\/127\.0\.0\.1:4000\/cb\?code=/);
  const other = { redirect_uri: 'http://127.0.0.1:6666/cb' };
  assert.match(await ask(await party.begin(other)), /\/portal\/applications\/consent/);
  assert.match(await ask(await own.begin(other)), /^http:\/\/127\.0\.0\.1:6666\/cb\?code=/);
});

test('who knows the digest of a ticket has no sign-in by it, and ends none', async (t) => {
  const { party } = await started(t);
  const visitor = party.visitor();
  const tokens = await party.signIn(visitor);
  const digest = digestOf(visitor.cookies.get('tessera') as Ticket);
  for (const known of [digest, `"${digest}"`]) {
    const stranger = party.visitor();
    stranger.cookies.set('tessera-op', String(known));
    const silent = await party.begin({ prompt: 'none' });
    assert.match(leadsTo(await stranger.get(silent.path)) ?? '', /error=login_required/);
    const page = await (await stranger.get(`${PROTOCOL}/logout`)).text();
    await stranger.post(
      `${PROTOCOL}/logout/confirm`,
      formOn(page, `${ORIGIN}${PROTOCOL}/logout/confirm`) ?? {},
    );
  }
  assert.ok((await refresh(party, tokens)).access_token);
});

test('prompt=login asks for a new sign-in, and who is in no group of the application is refused', async (t) => {
  const { service, party } = await started(t);
  const visitor = party.visitor();
  for (const parameters of [{ prompt: 'login' }, { max_age: '0' }] as const) {
    const signedOut = leadsTo(await party.visitor().get((await party.begin(parameters)).path));
    assert.match(signedOut ?? '', /\/portal\/login\?.*again=anew/);
  }
  await party.signIn(visitor);
  const again = await party.begin({ prompt: 'login' });
  const first = leadsTo(await visitor.get(again.path));
  assert.match(first ?? '', /\/portal\/login\?.*again=anew/);
  assert.match(leadsTo(await visitor.get(again.path)) ?? '', /again=anew/);
  assert.match(await goThrough(visitor, again.path), /code=/);

  await addApplication(service, 'closed', { trusted: true, groups: ['editors'] });
  const closed = await RelyingParty.discover(service, 'closed');
  const begun = await closed.begin();
  const callback = await goThrough(visitor, begun.path);
  assert.equal(new URL(callback).searchParams.get('error'), 'access_denied');
});
