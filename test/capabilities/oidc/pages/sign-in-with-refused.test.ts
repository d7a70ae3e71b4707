import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { test } from 'node:test';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { FROM_OWN_PAGE, Visitor } from '../../../faces/pages/browse.ts';
import {
  type Forge,
  type IdentityProvider,
  startIdentityProvider,
} from '../../../service/identity-provider.ts';
import type { TestService } from '../../../service/start.ts';
import {
  addressIn,
  begin,
  refusedWith,
  signInWith,
  startWithAcme,
  startWithProviders,
  take,
} from './provider-visit.ts';

const OUTDATED = /^403 This sign-in was begun in another browser or too long ago/;
const UNPROVEN = /^403 The answer of the identity provider does not prove who you are/;
const CLOCKS = /^403 The clocks of the identity provider and of this service differ/;
const UNAVAILABLE = /^503 The identity provider does not answer at the moment.* you stay signed in/;

/** The reason of the last refusal in the log. */
const reasonIn = ({ lines }: TestService): string =>
  lines.map((line) => (JSON.parse(line) as { reason?: string }).reason).findLast((reason) => reason) ?? '';

test('after a person declines at the provider, the page says so, without the text of the provider', async (t) => {
  const { service, acme } = await startWithAcme(t);
  const response = await signInWith(new Visitor(service), acme, {});
  assert.match(await refusedWith(response), /^403 The identity provider did not sign you in/);
  assert.equal(reasonIn(service), 'the provider answers access_denied');
});

test('an answer with an error of the provider itself asks to try again', async (t) => {
  const { service } = await startWithAcme(t);
  const visitor = new Visitor(service);
  const answered = async (error: string) => {
    const { origin: iss, searchParams } = new URL(await begin(visitor));
    const state = searchParams.get('state') ?? '';
    assert.notEqual(state, '');
    return visitor.get(`/portal/signed-in/acme?${new URLSearchParams({ error, state, iss })}`);
  };
  const down = await answered('temporarily_unavailable');
  assert.ok(Number(down.headers.get('retry-after')) > 0);
  assert.match(await refusedWith(down), UNAVAILABLE);
  const odd = await answered('<b>pw=secret</b>');
  assert.match(await refusedWith(odd), /^403 The identity provider did not sign you in/);
  assert.equal(reasonIn(service), 'the provider answers an error without a code');
});

/** Sends what `forge` makes in place of the ID token, and returns what the person reads. */
async function withForged(service: TestService, acme: IdentityProvider, forge: Forge): Promise<string> {
  acme.forgeIdTokens(forge);
  return refusedWith(await signInWith(new Visitor(service), acme, { subject: 's-anna' }));
}

const now = () => Math.floor(Date.now() / 1_000);

test('an ID token that does not prove the sign-in is refused', async (t) => {
  const { service, acme } = await startWithAcme(t);
  const other = await startIdentityProvider(t);
  const changed = (changes: JWTPayload) => (claims: JWTPayload) => acme.sign({ ...claims, ...changes });
  const pem = createPublicKey({ key: acme.publicKey as never, format: 'jwk' }).export({
    type: 'spki',
    format: 'pem',
  });
  const forged: Readonly<Record<string, Forge>> = {
    'another audience': changed({ aud: 'another-client' }),
    'several audiences, for another party': changed({ aud: ['tessera', 'another'], azp: 'another' }),
    'another issuer': changed({ iss: other.issuer }),
    'another nonce': changed({ nonce: 'of another sign-in' }),
    'no nonce': ({ nonce, ...claims }) => acme.sign(claims),
    'no subject': ({ sub, ...claims }) => acme.sign(claims),
    'the key of another provider': (claims) => other.sign(claims, { kid: acme.publicKey.kid as string }),
    'an unknown key': (claims) => acme.sign(claims, { kid: 'unknown' }),
    'alg none': async (claims) => new UnsecuredJWT(claims).encode(),
    'HS256 with the public key': (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(pem as string)),
    'a signature that was cut': async (claims) => (await acme.sign(claims)).slice(0, -8),
    'no token at all': async () => '',
  };
  for (const [what, forge] of Object.entries(forged))
    assert.match(await withForged(service, acme, forge), UNPROVEN, `${what}: ${reasonIn(service)}`);
  const users = await service.store.read(({ users }) => users.findByKey('anna'));
  assert.equal(users, undefined);
  assert.ok(!service.lines.some((line) => /eyJ/.test(line)), 'the log has no token');
});

test('clocks may differ by 30 seconds; the page says when they differ more', async (t) => {
  const { service, acme } = await startWithAcme(t);
  for (const changes of [{ exp: now() - 45 }, { iat: now() + 3_600, nbf: now() + 45 }]) {
    const text = await withForged(service, acme, (claims) => acme.sign({ ...claims, ...changes }));
    assert.match(text, CLOCKS, reasonIn(service));
  }
  acme.forgeIdTokens((claims) => acme.sign({ ...claims, exp: now() - 15 }));
  assert.equal((await signInWith(new Visitor(service), acme, { subject: 's-anna' })).status, 303);
});

test('an attempt counts for ten minutes', async (t) => {
  const { service, acme } = await startWithAcme(t);
  service.stopClock();
  const visitor = new Visitor(service);
  const led = await acme.signIn(await begin(visitor), 's-anna');
  service.shiftClock(10 * 60_000);
  assert.match(await refusedWith(await take(visitor, led)), OUTDATED);
});

test('the answer of one provider does not count at another one', async (t) => {
  const [acme, other, silent] = [
    await startIdentityProvider(t),
    await startIdentityProvider(t),
    await startIdentityProvider(t, { withoutIssuerParameter: true }),
  ];
  const { service } = await startWithProviders(t, { acme: [acme], other: [other], silent: [silent] });
  const visitor = new Visitor(service);
  const led = await acme.signIn(await begin(visitor, 'acme'), 's-anna');
  const elsewhere = new URL(led.href.replace('/signed-in/acme', '/signed-in/other'));
  assert.match(await refusedWith(await take(visitor, elsewhere)), OUTDATED, 'at the address of another one');
  const others = await other.signIn(await begin(new Visitor(service), 'other'), 's-mallory');
  const mixed = new URL(others.href.replace('/signed-in/other', '/signed-in/acme'));
  const mixedUp = async () => {
    const begun = new URL(await begin(visitor, 'acme'));
    mixed.searchParams.set('state', begun.searchParams.get('state') ?? '');
    return refusedWith(await take(visitor, mixed));
  };
  assert.match(await mixedUp(), UNPROVEN, 'with its own issuer');
  assert.equal(reasonIn(service), 'unexpected "iss" (issuer) response parameter value');
  mixed.searchParams.delete('iss');
  assert.match(await mixedUp(), UNPROVEN, 'without an issuer');
  mixed.searchParams.set('iss', acme.issuer);
  assert.match(await mixedUp(), UNPROVEN, 'with a code of another provider');
  assert.equal(reasonIn(service), 'the token endpoint answers invalid_grant');
  const old = await silent.signIn(await begin(visitor, 'silent'), 's-anna');
  assert.equal(old.searchParams.get('iss'), null);
  assert.equal((await take(visitor, old)).status, 403, 'its person has no name');
  assert.match(
    reasonIn(service),
    /^the claim preferred_username with the user name is missing: have the provider/,
  );
});

test('the service starts while a provider is down, and tickets stay valid', async (t) => {
  const acme = await startIdentityProvider(t);
  acme.people.set('s-anna', { preferred_username: 'anna' });
  await acme.stop();
  const { service } = await startWithProviders(t, { acme: [acme] });
  const visitor = new Visitor(service);
  const attempt = () => visitor.post('/portal/sign-in-with/acme', {});
  const down = await attempt();
  assert.equal(down.headers.get('retry-after'), '10');
  assert.match(await refusedWith(down), UNAVAILABLE);
  await acme.start();
  const led = await acme.signIn(await begin(visitor), 's-anna');
  await acme.stop();
  assert.match(await refusedWith(await take(visitor, led)), UNAVAILABLE, 'down at the token endpoint');
  await acme.start();
  assert.equal((await signInWith(visitor, acme, { subject: 's-anna' })).status, 303);
  await acme.stop();
  assert.equal((await visitor.get('/portal/account')).status, 200);
});

test('a provider that is slow or breaks off is waited for until its deadline', async (t) => {
  const { service, acme } = await startWithAcme(t, { deadline: 150 });
  const visitor = new Visitor(service);
  for (const path of ['/.well-known/openid-configuration', '/token', '/jwks']) {
    const release = acme.hold(path);
    const response = path.startsWith('/.')
      ? await visitor.post('/portal/sign-in-with/acme', {})
      : await signInWith(visitor, acme, { subject: 's-anna' });
    assert.match(await refusedWith(response), UNAVAILABLE, path);
    assert.match(reasonIn(service), new RegExp(`${path}: no answer in 150 ms$`));
    release();
  }
});

test('a provider that names itself in another way is refused with the name to write', async (t) => {
  const acme = await startIdentityProvider(t);
  const { service } = await startWithProviders(t, { acme: [acme, { issuer: `${acme.issuer}/` }] });
  const response = await new Visitor(service).post('/portal/sign-in-with/acme', {});
  assert.equal(response.status, 503);
  assert.equal(
    reasonIn(service),
    `it names itself "${acme.issuer}": write that as "issuer" in TESSERA_PROVIDERS`,
  );
});

test('no page of another site begins a sign-in, and no unknown provider', async (t) => {
  const { service } = await startWithAcme(t);
  const visitor = new Visitor(service);
  const foreign = await visitor.post('/portal/sign-in-with/acme', {}, { 'Sec-Fetch-Site': 'cross-site' });
  assert.equal(foreign.status, 403);
  assert.equal((await visitor.post('/portal/sign-in-with/nemo', {}, FROM_OWN_PAGE)).status, 404);
  assert.equal((await visitor.get('/portal/sign-in-with/acme')).status, 405);
  assert.equal(visitor.cookies.size, 0);
});

test('the attempt is kept for one host over https, and no sign-in begins where a browser keeps none', async (t) => {
  const { service } = await startWithAcme(
    t,
    {},
    {
      TESSERA_TRUSTED_PROXIES: '127.0.0.1',
      TESSERA_PORTAL_URL: 'https://tessera.example.org',
    },
  );
  const visitor = new Visitor(service);
  const far = { ...FROM_OWN_PAGE, 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Host': 'tessera.example.org' };
  const plain = await visitor.post('/portal/sign-in-with/acme', {}, far);
  assert.match(await refusedWith(plain), /^403 Signing in needs https here/);
  assert.deepEqual(plain.headers.getSetCookie(), []);
  const tls = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'tessera.example.org:443' };
  const secure = await visitor.post('/portal/sign-in-with/acme', {}, { ...far, ...tls });
  const [cookie = ''] = secure.headers.getSetCookie();
  assert.match(
    cookie,
    /^__Host-tessera-sign-in-with=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  const back = new URL(addressIn(await secure.text())).searchParams.get('redirect_uri');
  assert.equal(back, 'https://tessera.example.org/portal/signed-in/acme');
});
