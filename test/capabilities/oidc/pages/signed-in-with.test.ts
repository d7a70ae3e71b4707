import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JWTPayload } from 'jose';
import type { Ticket } from '../../../../src/core/domain/ticket.ts';
import { digestOf } from '../../../../src/core/gate/tickets.ts';
import { formOn, Visitor } from '../../../faces/pages/browse.ts';
import { elementsNamed } from '../../../faces/pages/markup.ts';
import { registerApp, STEP } from '../../factors/pages/second-factor-browse.ts';
import {
  addressIn,
  logoutToken,
  refusedWith,
  rewrite,
  sendLogout,
  signInWith,
  startWithAcme,
  take,
} from './provider-visit.ts';

test('signing out ends the ticket here and, if the document says so, leads to the sign-out of the provider', async (t) => {
  const { service, acme, file } = await startWithAcme(t);
  const visitor = new Visitor(service);
  const out = async () => {
    assert.equal((await signInWith(visitor, acme, { subject: 's-anna' })).status, 303);
    const response = await visitor.send('/portal/account', '/portal/logout');
    assert.equal(visitor.cookies.size, 0);
    return response.headers.get('location') as string;
  };
  assert.equal(await out(), '/portal/login?done=signed-out');
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

const ADD = '/portal/account/app-passwords/add';

/** Begins to prove at the provider who is signed in. Returns the address there. */
async function beginProof(visitor: Visitor): Promise<string> {
  const page = await (await visitor.get(`/portal/account/prove?return=${ADD}`)).text();
  assert.match(page, /Sign in at The acme once more/);
  assert.equal(elementsNamed(page, 'input', { type: 'password' }).length, 0);
  const action = '/portal/sign-in-with/acme';
  return addressIn(await (await visitor.post(action, formOn(page, action) ?? {})).text());
}

test('a user of a provider proves by a new sign-in there who it is: to be signed in is no proof', async (t) => {
  const { service, acme } = await startWithAcme(t);
  const visitor = new Visitor(service);
  await signInWith(visitor, acme, { subject: 's-anna' });
  assert.match((await visitor.get(ADD)).headers.get('location') ?? '', /account\/prove/);
  const address = await beginProof(visitor);
  const { searchParams } = new URL(address);
  assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], ['login', '0']);
  const proved = await take(visitor, await acme.signIn(address, 's-anna'));
  assert.equal(proved.headers.get('location'), ADD);
  assert.equal((await visitor.get(ADD)).status, 200);
});

test('a form whose sign-in ended comes back filled after a sign-in and a proof at the provider', async (t) => {
  const { service, acme } = await startWithAcme(t);
  const visitor = new Visitor(service);
  const prove = async () => take(visitor, await acme.signIn(await beginProof(visitor), 's-anna'));
  await signInWith(visitor, acme, { subject: 's-anna' });
  await prove();
  const form = formOn(await (await visitor.get(ADD)).text(), ADD);
  const ticket = visitor.cookies.get('tessera') as Ticket;
  await service.store.write(({ tickets }) => tickets.end(digestOf(ticket)));
  const late = await visitor.post(ADD, { ...form, name: 'scanner' });
  assert.equal(late.headers.get('location'), `/portal/login?return=${encodeURIComponent(ADD)}`);
  const signedIn = await signInWith(visitor, acme, { subject: 's-anna', back: ADD });
  assert.equal(signedIn.headers.get('location'), ADD);
  assert.equal((await prove()).headers.get('location'), ADD);
  assert.equal(formOn(await (await visitor.get(ADD)).text(), ADD)?.name, 'scanner');
});

test('a provider that did not ask the person anew proves nothing', async (t) => {
  const { service, acme } = await startWithAcme(t);
  const visitor = new Visitor(service);
  await signInWith(visitor, acme, { subject: 's-anna' });
  const longAgo = Math.floor(Date.now() / 1_000) - 600;
  for (const auth_time of [undefined, longAgo]) {
    acme.forgeIdTokens((claims) => acme.sign({ ...claims, auth_time }));
    const address = await beginProof(visitor);
    const refused = await take(visitor, await acme.signIn(address, 's-anna'));
    assert.match(await refusedWith(refused), /^403 The answer of the identity provider does not prove/);
    assert.match((await visitor.get(ADD)).headers.get('location') ?? '', /account\/prove/);
  }
});

test('a second factor here is asked for after a provider only if the document says so', async (t) => {
  const { service, acme, file } = await startWithAcme(t);
  service.stopClock();
  const first = new Visitor(service);
  assert.equal((await signInWith(first, acme, { subject: 's-anna' })).status, 303);
  await take(first, await acme.signIn(await beginProof(first), 's-anna'));
  const { codes } = await registerApp(first, Date.now());
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
  acme.forgeIdTokens((claims) => acme.sign({ ...claims, sid: 's-1' }));
  await signInWith(first, acme, { subject: 's-anna' });
  const form = formOn(await (await first.get(STEP)).text(), STEP);
  assert.equal((await first.post(STEP, { ...form, code: codes[0] as string })).status, 303);
  assert.equal((await first.get('/portal/account')).status, 200);
  assert.equal((await sendLogout(service, await logoutToken(acme, { sid: 's-1' }))).status, 200);
  assert.equal((await first.get('/portal/account')).status, 303, 'it ends with the session there');
  // A log-out there while the second factor is awaited here.
  const givesCode = async (sid: string, code: number, ended: JWTPayload) => {
    acme.forgeIdTokens((claims) => acme.sign({ ...claims, sid }));
    await signInWith(first, acme, { subject: 's-anna' });
    assert.equal((await sendLogout(service, await logoutToken(acme, ended))).status, 200);
    const response = await first.post(STEP, { ...form, code: codes[code] as string });
    return [response.headers.get('location'), (await first.get('/portal/account')).status];
  };
  const refused = ['/portal/login', 303];
  const iat = Math.floor(Date.now() / 1_000);
  assert.deepEqual(await givesCode('s-2', 1, { sid: 's-2' }), refused, 'the session');
  service.shiftClock(1_000);
  assert.deepEqual(await givesCode('s-3', 1, { sub: 's-anna', iat }), refused, 'the person');
  service.shiftClock(1_000);
  const early = { sub: 's-anna', iat: iat - 60 };
  assert.deepEqual(await givesCode('s-2', 1, early), ['/portal/account', 200], 'it began later');
});
