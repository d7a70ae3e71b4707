import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { exportSPKI, importJWK, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { AccessTokens } from '../../../src/capabilities/oidc/access-token.ts';
import { fetchKeySet, KeySet } from '../../../src/capabilities/oidc/key-set.ts';
import { type IdentityProvider, startIdentityProvider } from '../../service/identity-provider.ts';
import { PATIENCE } from '../../service/patience.ts';

const AUDIENCE = 'https://tickets.example.org/api';
const NOW = Date.UTC(2026, 5, 1);
const SECONDS = NOW / 1_000;

/** The tokens of these providers that are accepted at the time of `clock`. */
function tokensOf(clock: () => number, ...providers: readonly IdentityProvider[]): AccessTokens {
  const configurations = providers.map(({ issuer }, index) => ({
    ...{ id: `company-${index}`, name: 'Company', issuer, clientId: 'tessera', clientSecret: undefined },
    ...{ ca: undefined, scopes: [], groups: undefined, audiences: [AUDIENCE], algorithms: ['RS256'] },
    claims: {
      ...{ name: 'preferred_username', email: 'email', subject: 'sub' },
      ...{ firstName: 'given_name', lastName: 'family_name' },
    },
    ...{ signIn: true, addsUsers: true, takesLocalNames: false, askSecondFactor: false, signOut: false },
    deadline: PATIENCE,
  }));
  return new AccessTokens(() => configurations, clock);
}

/** A provider, and the tokens that are accepted of it at a time that stands still. */
async function start(t: TestContext) {
  const provider = await startIdentityProvider(t);
  const clock = { now: NOW };
  const tokens = tokensOf(() => clock.now, provider);
  const common = { iss: provider.issuer, aud: AUDIENCE, sub: 's-1', exp: SECONDS + 60, scope: 'read' };
  const sign = (claims: JWTPayload = {}, header: Partial<JWTHeaderParameters> = {}) =>
    provider.sign({ ...common, ...claims }, { typ: 'at+jwt', ...header });
  return { provider, tokens, clock, common, sign };
}

/** Why a token is refused, and `accepted` if it is not. */
async function faultOf(tokens: AccessTokens, token: string): Promise<string> {
  const verified = await tokens.verify(token);
  return 'fault' in verified ? verified.fault : 'accepted';
}

const jwksAsked = ({ asked }: IdentityProvider) => asked.filter((path) => path === '/jwks').length;

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a token that a real provider issues for this service is accepted, with its claims', async (t) => {
  const provider = await startIdentityProvider(t);
  provider.people.set('s-1', { preferred_username: 'anna', groups: ['editors'] });
  const tokens = tokensOf(Date.now, provider);
  const verified = await tokens.verify(await provider.accessToken('s-1', AUDIENCE));
  assert.ok('claims' in verified, JSON.stringify(verified));
  assert.deepEqual(
    [verified.provider.id, verified.claims.sub, verified.claims.groups],
    ['company-0', 's-1', ['editors']],
  );
  assert.ok(Math.abs(verified.expiresAt - Date.now() - 3_600_000) < PATIENCE);
  assert.match(
    await faultOf(tokens, await provider.accessToken('s-1', 'https://other.example.org')),
    /audience/,
  );
});

test('a token is refused for each claim and each field of its header that is not as it has to be', async (t) => {
  const { tokens, sign, common, provider } = await start(t);
  const cases: readonly (readonly [RegExp, JWTPayload, Partial<JWTHeaderParameters>?])[] = [
    [/^accepted$/, {}],
    [/^accepted$/, {}, { typ: 'JWT' }],
    [/^accepted$/, {}, { typ: 'application/at+jwt' }],
    [/^accepted$/, { aud: ['https://other.example.org', AUDIENCE] }],
    [/audience/, { aud: 'https://other.example.org' }],
    [/audience/, { aud: `${AUDIENCE}/` }],
    [/audience/, { aud: undefined as never }],
    [/issuer/, { iss: `${common.iss}/` }],
    [/issuer/, { iss: undefined as never }],
    [/issuer/, { iss: [common.iss] as never }],
    [/expired/, { exp: SECONDS - 31 }],
    [/^accepted$/, { exp: SECONDS - 29 }],
    [/no time at which it expires/, { exp: undefined as never }],
    [/no time at which it expires/, { exp: 'tomorrow' as never }],
    [/not valid yet/, { nbf: SECONDS + 31 }],
    [/^accepted$/, { nbf: SECONDS + 29 }],
    [/no subject/, { sub: undefined as never }],
    [/no subject/, { sub: '' }],
    [/no subject/, { sub: 7 as never }],
    [/another kind/, {}, { typ: 'logout+jwt' }],
    [/another kind/, {}, { crit: ['b64'], b64: true }],
    [/bound to a key/, { cnf: { jkt: 'x' } }],
    [/no access token/, { nonce: 'n' }, { typ: 'JWT' }],
    [/no access token/, { at_hash: 'h' }, { typ: 'JWT' }],
    [/no access token/, { typ: 'ID' }, { typ: 'JWT' }],
    [/no access token/, { typ: 'Refresh' }, { typ: 'JWT' }],
    [/^accepted$/, { typ: 'Bearer' }, { typ: 'JWT' }],
    [/no access token/, { aud: ['tessera', AUDIENCE], scope: undefined }, { typ: 'JWT' }],
    [/^accepted$/, { aud: ['tessera', AUDIENCE] }, { typ: 'JWT' }],
    [/signature is not that of the provider/, {}, { kid: 'another' }],
  ];
  for (const [expected, claims, header] of cases)
    assert.match(
      await faultOf(tokens, await sign(claims, header)),
      expected,
      JSON.stringify({ claims, header }),
    );
  assert.match(await faultOf(tokens, `${await sign()}x`), /signature is not that of the provider|neither/);
  const [head = '', , signature = ''] = (await sign()).split('.');
  assert.match(
    await faultOf(tokens, `${head}.${base64url({ ...common, sub: 's-2' })}.${signature}`),
    /signature/,
  );
  assert.equal(jwksAsked(provider), 1);
});

test('a token without a signature, or signed by the public key as a secret, is refused', async (t) => {
  const { tokens, common, provider } = await start(t);
  const { kid } = provider.publicKey;
  const unsigned = `${base64url({ alg: 'none', typ: 'at+jwt' })}.${base64url(common)}.`;
  assert.match(await faultOf(tokens, unsigned), /algorithm/);
  const publicKey = await exportSPKI((await importJWK(provider.publicKey, 'RS256')) as never);
  for (const secret of [publicKey, JSON.stringify(provider.publicKey)])
    for (const alg of ['HS256', 'RS256']) {
      const signed = `${base64url({ alg, kid, typ: 'at+jwt' })}.${base64url(common)}`;
      const mac = createHmac('sha256', secret).update(signed).digest('base64url');
      assert.match(await faultOf(tokens, `${signed}.${mac}`), alg === 'RS256' ? /signature/ : /algorithm/);
    }
});

test('a text that is no JWT, or is too long, is refused, and the reason says what to do', async (t) => {
  const { tokens, sign } = await start(t);
  for (const text of ['opaque', 'a.b.c', '..', 'eyJhbGciOiJSUzI1NiJ9.e30', `${await sign()}.x`])
    assert.match(await faultOf(tokens, text), /as JWTs/, text);
  assert.match(await faultOf(tokens, await sign({ more: 'x'.repeat(8_000) })), /longer than/);
});

test('a token of one provider is not accepted as a token of another one', async (t) => {
  const { provider, clock, sign, common } = await start(t);
  const other = await startIdentityProvider(t);
  const tokens = tokensOf(() => clock.now, provider, other);
  assert.equal(await faultOf(tokens, await sign()), 'accepted');
  assert.match(await faultOf(tokens, await sign({ iss: other.issuer })), /signature/);
  assert.equal(await faultOf(tokens, await other.sign({ ...common, iss: other.issuer })), 'accepted');
});

test('a new key of the provider is fetched once for all tokens, at most twice a minute', async (t) => {
  const { provider, tokens, clock, sign } = await start(t);
  assert.equal(await faultOf(tokens, await sign()), 'accepted');
  const unknown = async (kid: number) =>
    assert.match(await faultOf(tokens, await sign({}, { kid: `k${kid}` })), /signature/);
  for (let kid = 0; kid < 20; kid += 1) await unknown(kid);
  assert.equal(jwksAsked(provider), 1);
  clock.now += 30_000;
  await Promise.all(Array.from({ length: 20 }, (_, kid) => unknown(kid)));
  assert.equal(jwksAsked(provider), 2);

  const old = await sign();
  provider.rotateKeys();
  const renewed = await sign();
  clock.now += 29_999;
  assert.match(await faultOf(tokens, renewed), /signature/);
  clock.now += 1;
  const both = await Promise.all([faultOf(tokens, renewed), faultOf(tokens, renewed)]);
  assert.deepEqual(both, ['accepted', 'accepted']);
  assert.equal(jwksAsked(provider), 3);
  assert.match(await faultOf(tokens, old), /signature|expired/);
});

test('keys are fetched again after ten minutes, and kept for an hour while the provider is down', async (t) => {
  const { provider, tokens, clock, sign } = await start(t);
  const exp = SECONDS + 2 * 3_600;
  assert.equal(await faultOf(tokens, await sign({ exp })), 'accepted');
  await provider.stop();
  clock.now += 59 * 60_000;
  assert.equal(await faultOf(tokens, await sign({ exp })), 'accepted');
  await assert.rejects(faultOf(tokens, await sign({ exp }, { kid: 'new' })), { name: 'ProviderUnavailable' });
  clock.now += 2 * 60_000;
  await assert.rejects(faultOf(tokens, await sign({ exp })), { name: 'ProviderUnavailable' });
  await provider.start();
  clock.now += 5_000;
  assert.equal(await faultOf(tokens, await sign({ exp })), 'accepted');
});

test('a provider whose keys cannot be read is unavailable, and is asked again after five seconds', async (t) => {
  const { sign } = await start(t);
  const clock = { now: NOW };
  const answers: unknown[] = [new Error('no answer'), 'text', {}, { keys: 'none' }];
  let asked = 0;
  const fetch = async () => {
    const answer = answers[asked++ % answers.length];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const keys = new KeySet({ provider: 'company', fetch, clock: () => clock.now });
  const token = await sign();
  const header = { alg: 'RS256', kid: 'any' };
  const find = () =>
    keys.keyFor(header, { payload: '', signature: '', protected: token.split('.')[0] as string });
  for (let times = 0; times < answers.length; times += 1) {
    await assert.rejects(find(), { name: 'ProviderUnavailable' });
    await assert.rejects(find(), { name: 'ProviderUnavailable' });
    assert.equal(asked, times + 1);
    clock.now += 5_000;
  }
});

test('a provider that is slow, redirects, or has another issuer in its metadata is refused with the reason', async (t) => {
  const provider = await startIdentityProvider(t);
  const release = provider.hold('/jwks');
  const from = (issuer: string, deadline = PATIENCE) => fetchKeySet({ issuer, ca: undefined, deadline });
  await assert.rejects(from(provider.issuer, 50), /no answer in 50 ms/);
  release();
  await assert.rejects(from(`${provider.issuer}/`), /calls itself/);
  await assert.rejects(from(`${provider.issuer}/elsewhere`), /answers 404/);
});
