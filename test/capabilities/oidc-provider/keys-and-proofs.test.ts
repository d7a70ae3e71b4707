import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWK,
  jwtVerify,
} from 'jose';
import * as oidc from 'openid-client';
import { entryKey } from '../../../src/capabilities/oidc-provider/identifiers.ts';
import { run } from '../../faces/cli/command.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import { asked, eventsByKeys } from '../admin/http/asked.ts';
import {
  addApplication,
  goThrough,
  leadsTo,
  PROVIDER,
  pathOf,
  RelyingParty,
  type WrittenSettings,
} from './relying-party.ts';

const PROTOCOL = '/auth/realms/alfresco/protocol/openid-connect';
const DAY = 86_400_000;

async function started(t: TestContext, settings: WrittenSettings = {}, key?: CryptoKey) {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  const secret = await addApplication(service, 'app', { trusted: true, ...settings });
  const authentication = key === undefined ? oidc.ClientSecretBasic(secret) : oidc.PrivateKeyJwt(key);
  return { service, party: await RelyingParty.discover(service, 'app', authentication) };
}

async function publishedKeys({ url }: TestService): Promise<readonly JWK[]> {
  const response = await fetch(`${url}${PROTOCOL}/certs`);
  return ((await response.json()) as { keys: JWK[] }).keys;
}

test('keys sign for 90 days, stay published for two more, and no private part is shown', async (t) => {
  const { service } = await started(t);
  const first = await publishedKeys(service);
  assert.deepEqual(first.map(({ alg }) => alg).sort(), ['EdDSA', 'RS256']);
  assert.ok(first.every((key) => !('d' in key)));
  service.shiftClock(91 * DAY);
  const second = await publishedKeys(service);
  assert.equal(second.length, 4);
  assert.ok(first.every(({ kid }) => second.some((key) => key.kid === kid)));
  service.shiftClock(3 * DAY);
  const third = await publishedKeys(service);
  assert.equal(third.length, 2);
  assert.ok(third.every(({ kid }) => first.every((key) => key.kid !== kid)));
});

const kidsOf = (keys: readonly JWK[]) => keys.map(({ kid }) => kid);
/** The key that signed a token. */
const kidOf = (token = '') => decodeProtectedHeader(token).kid;

test('an operator rotates the keys: the new ones are published before they sign, and the old ones still count', async (t) => {
  const { service, party } = await started(t);
  service.stopClock();
  const visitor = party.visitor();
  const first = await party.signIn(visitor);
  const before = await publishedKeys(service);
  assert.ok(kidsOf(before).includes(kidOf(first.id_token)));
  service.shiftClock(60_000);
  const post = { method: 'POST', body: '{}' };
  const rotated = (await asked(service, '/signing-keys', post)).body.items;
  assert.ok(rotated.every(({ retiredAt }: { retiredAt?: string }) => retiredAt !== undefined));
  assert.doesNotMatch(JSON.stringify(rotated), /sealed|"d"/);
  service.shiftClock(6_000);
  const both = await publishedKeys(service);
  assert.equal(both.length, 4);
  const early = await party.signIn(visitor);
  assert.equal(kidOf(early.id_token), kidOf(first.id_token), 'applications may not know the new key yet');
  service.shiftClock(10_000);
  const late = await party.signIn(visitor);
  assert.ok(!kidsOf(before).includes(kidOf(late.id_token)) && kidsOf(both).includes(kidOf(late.id_token)));
  const published = createLocalJWKSet({ keys: [...(await publishedKeys(service))] });
  await jwtVerify(late.id_token ?? '', published);
  assert.deepEqual((await asked(service, '/signing-keys')).body.items.length, 4);
  const events = (await eventsByKeys(service)).map(({ kind, reason }) => `${kind} ${reason}`);
  assert.deepEqual(
    events.filter((event) => event.startsWith('signing-key-retired')).sort(),
    before.map(({ alg, kid }) => `signing-key-retired ${alg} ${kid}`).sort(),
  );
});

test('keys that may have leaked are dropped: nothing shows them, and new ones sign at once', async (t) => {
  const { service, party } = await started(t);
  service.stopClock();
  const visitor = party.visitor();
  await party.signIn(visitor);
  const before = kidsOf(await publishedKeys(service));
  const dropped = await run('tessera', ['signing-keys', 'rotate', '--drop'], {
    env: { TESSERA_DATA: service.data },
  });
  assert.match(dropped.stdout, /^Removed all keys that sign tokens\. /);
  service.shiftClock(6_000);
  const { id_token } = await party.signIn(visitor);
  const after = kidsOf(await publishedKeys(service));
  assert.ok(after.includes(kidOf(id_token)));
  assert.ok(after.every((kid) => !before.includes(kid)));
});

test('a new key for secrets encrypts the keys that sign, too, and the old one is not needed any more', async (t) => {
  const { service, party } = await started(t);
  const tokens = await party.signIn(party.visitor());
  const before = await publishedKeys(service);
  const rotated = await run('tessera', ['secret-keys', 'rotate', '--drop-old'], {
    env: { TESSERA_DATA: service.data },
  });
  assert.match(rotated.stdout, /^Encrypted 2 secrets anew/);
  // The service reads its keys again a minute later.
  service.shiftClock(2 * 60_000);
  assert.deepEqual(await publishedKeys(service), before);
  assert.ok((await oidc.refreshTokenGrant(party.configuration, tokens.refresh_token ?? '')).id_token);
});

test('an application proves itself by its key, and an assertion counts once', async (t) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }] };
  const { service, party } = await started(t, { jwks }, privateKey);
  const begun = await party.begin();
  let body = '';
  const { configuration } = party;
  configuration[oidc.customFetch] = (url, options) => {
    body = String(options.body);
    return fetch(url.replace('https://id.example.org', service.url), options as RequestInit);
  };
  const tokens = await party.tokensFor(await goThrough(party.visitor(), begun.path), begun);
  assert.ok(tokens.access_token);
  const again = await fetch(`${service.url}${PROTOCOL}/token`, {
    method: 'POST',
    body: new URLSearchParams(body),
  });
  assert.equal(again.status, 401);
  assert.equal(((await again.json()) as { error: string }).error, 'invalid_client');
});

test('a pushed request is used once, and a token that is bound to a key is refused without it', async (t) => {
  const { service, party } = await started(t, { actsForUser: true });
  const { configuration } = party;
  const verifier = oidc.randomPKCECodeVerifier();
  const parameters = {
    redirect_uri: 'https://app.example.net/callback',
    scope: 'openid profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  const url = await oidc.buildAuthorizationUrlWithPAR(configuration, parameters);
  assert.ok(url.searchParams.get('request_uri'));
  const visitor = party.visitor();
  const callback = await goThrough(visitor, pathOf(url.href));
  const keys = await oidc.randomDPoPKeyPair();
  const DPoP = oidc.getDPoPHandle(configuration, keys);
  const tokens = await oidc.authorizationCodeGrant(
    configuration,
    new URL(callback),
    { pkceCodeVerifier: verifier },
    undefined,
    {
      DPoP,
    },
  );
  assert.equal(tokens.token_type, 'dpop');
  const subject = tokens.claims()?.sub ?? '';
  const told = await oidc.fetchUserInfo(configuration, tokens.access_token, subject, { DPoP });
  assert.equal(told.preferred_username, 'anna');
  const bare = await fetch(`${service.url}${PROTOCOL}/userinfo`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  assert.equal(bare.status, 401);
  const api = await fetch(`${service.url}/alfresco/api/-default-/public/alfresco/versions/1/people/-me-`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  assert.match(await api.text(), /bound to a key/);
  const again = await visitor.get(pathOf(url.href));
  assert.match(leadsTo(again) ?? '', /error=invalid_request_uri/);
  const kept = await service.store.read(({ providerEntries }) =>
    providerEntries.find(
      entryKey('PushedAuthorizationRequest', url.searchParams.get('request_uri')?.split(':').at(-1) ?? ''),
    ),
  );
  assert.ok(kept?.consumedAt);
});
