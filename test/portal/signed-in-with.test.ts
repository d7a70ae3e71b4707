import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Visitor } from './browse.ts';
import { addressIn, rewrite, signInWith, startWithAcme, take } from './provider-visit.ts';
import { registerApp, STEP } from './second-factor-browse.ts';

test('signing out ends the ticket here and, if the document says so, leads to the sign-out of the provider', async (t) => {
  const { service, acme, file } = await startWithAcme(t);
  const visitor = new Visitor(service);
  const out = async () => {
    assert.equal((await signInWith(visitor, acme, { subject: 's-anna' })).status, 303);
    const response = await visitor.send('/portal/account', '/portal/logout');
    assert.equal(visitor.cookies.size, 0);
    return response.headers.get('location') as string;
  };
  assert.equal(await out(), '/portal/login');
  await rewrite(service, file, { signOut: true });
  assert.equal(await out(), '/portal/signed-out/acme');
  const address = new URL(addressIn(await (await visitor.get('/portal/signed-out/acme')).text()));
  assert.equal(address.origin + address.pathname, `${acme.issuer}/session/end`);
  assert.equal(address.searchParams.get('client_id'), 'tessera');
  assert.equal(address.searchParams.get('post_logout_redirect_uri'), `${service.url}/portal/login`);
  await rewrite(service, file, { name: 'Down' });
  await acme.stop();
  assert.equal((await visitor.get('/portal/signed-out/acme')).headers.get('location'), '/portal/login');
  assert.equal((await visitor.get('/portal/signed-out/nemo')).headers.get('location'), '/portal/login');
});

test('a user of a provider proves there again who it is, and the new ticket is the proof', async (t) => {
  const { service, acme } = await startWithAcme(t);
  service.stopClock();
  const visitor = new Visitor(service);
  await signInWith(visitor, acme, { subject: 's-anna' });
  service.shiftClock(11 * 60_000);
  const page = await (await visitor.get('/portal/account/prove?return=/portal/account')).text();
  assert.match(page, /Sign in at The acme once more/);
  assert.doesNotMatch(page, /type="password"/);
  const [, formToken = ''] =
    /sign-in-with\/acme"><input type="hidden" name="formToken" value="([^"]+)"/.exec(page) ?? [];
  const begun = await visitor.post('/portal/sign-in-with/acme', {
    return: '/portal/account',
    again: 'yes',
    formToken,
  });
  const address = addressIn(await begun.text());
  assert.equal(new URL(address).searchParams.get('prompt'), 'login');
  assert.equal(
    (await take(visitor, await acme.signIn(address, 's-anna'))).headers.get('location'),
    '/portal/account',
  );
});

test('a second factor here is asked for after a provider only if the document says so', async (t) => {
  const { service, acme, file } = await startWithAcme(t);
  service.stopClock();
  const first = new Visitor(service);
  assert.equal((await signInWith(first, acme, { subject: 's-anna' })).status, 303);
  await registerApp(first, Date.now());
  const leads = async () => {
    const visitor = new Visitor(service);
    const response = await signInWith(visitor, acme, { subject: 's-anna', back: '/portal/account?a=b' });
    return { location: response.headers.get('location'), cookies: [...visitor.cookies.keys()] };
  };
  assert.deepEqual(await leads(), { location: '/portal/account?a=b', cookies: ['tessera'] });
  await rewrite(service, file, { askSecondFactor: true });
  const asked = await leads();
  assert.equal(asked.location, STEP);
  assert.ok(!asked.cookies.includes('tessera'));
});
