import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { startIdentityProvider } from './identity-provider.ts';

const AUDIENCE = 'https://tickets.example.org/api';

test('an access token is a JWT that the key set of the provider verifies, also after its keys changed', async (t) => {
  const provider = await startIdentityProvider(t);
  provider.people.set('s-1', { preferred_username: 'anna', groups: ['editors'] });
  const verify = async () => {
    const keys = createRemoteJWKSet(new URL(`${provider.issuer}/jwks`));
    const token = await provider.accessToken('s-1', AUDIENCE);
    const { issuer } = provider;
    return (await jwtVerify(token, keys, { issuer, audience: AUDIENCE, algorithms: ['RS256'] })).payload;
  };
  const { sub, preferred_username, groups } = await verify();
  assert.deepEqual([sub, preferred_username, groups], ['s-1', 'anna', ['editors']]);
  provider.rotateKeys();
  await verify();
  assert.equal(provider.asked.filter((path) => path === '/jwks').length, 2);
});

test('it can be stopped, started and delayed, and can sign false claims', async (t) => {
  const provider = await startIdentityProvider(t);
  const discovery = `${provider.issuer}/.well-known/openid-configuration`;
  await provider.stop();
  await assert.rejects(fetch(discovery));
  await provider.start();
  const release = provider.hold('/.well-known/openid-configuration');
  await assert.rejects(fetch(discovery, { signal: AbortSignal.timeout(50) }));
  release();
  assert.equal(((await (await fetch(discovery)).json()) as { issuer: string }).issuer, provider.issuer);
  assert.deepEqual(decodeJwt(await provider.sign({ aud: 'x', exp: 1 })), { aud: 'x', exp: 1 });
});
