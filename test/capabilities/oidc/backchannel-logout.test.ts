import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { eventReasonText } from '../../../src/faces/pages/event-texts.ts';
import { sayIn } from '../../../src/faces/pages/texts/texts.ts';
import { Visitor } from '../../faces/pages/browse.ts';
import { addAppPassword } from '../../service/app-passwords.ts';
import { freePort } from '../../service/free-port.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import { until } from '../../service/until.ts';
import { addApplication, leadsTo } from '../oidc-provider/relying-party.ts';
import {
  begin,
  logoutToken,
  sendLogout,
  signInWith,
  startWithAcme,
  startWithProviders,
  take,
} from './pages/provider-visit.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** A service whose provider names this session in the ID tokens that it sends next. */
async function started(t: TestContext) {
  const { service, acme } = await startWithAcme(t);
  const signIn = async (sid?: string) => {
    acme.forgeIdTokens((claims) => acme.sign({ ...claims, ...(sid !== undefined && { sid }) }));
    const visitor = new Visitor(service);
    assert.equal((await signInWith(visitor, acme, { subject: 's-anna' })).status, 303);
    return visitor;
  };
  const tokenWith = (claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}) =>
    logoutToken(acme, claims, header);
  return { service, acme, signIn, tokenWith };
}

const isSignedIn = async (visitor: Visitor) => (await visitor.get('/portal/account')).status === 200;

const logouts = async ({ store }: TestService) =>
  (await store.read((unit) => unit.events.list({}))).filter(({ kind }) => kind === 'logout');

test('a session that ends at the provider ends its tickets here, and no other', async (t) => {
  const { service, signIn, tokenWith } = await started(t);
  const [home, work, none] = [await signIn('s-home'), await signIn('s-work'), await signIn()];
  const token = await tokenWith({ sid: 's-home', sub: 's-anna' });
  for (const _ of ['first', 'again']) {
    const response = await sendLogout(service, token);
    assert.equal(response.status, 200, await response.text());
    assert.match(response.headers.get('cache-control') ?? '', /no-store/);
  }
  assert.deepEqual(await Promise.all([home, work, none].map(isSignedIn)), [false, true, true]);
  const events = (await logouts(service)).map(({ user, reason }) => [user, reason]);
  assert.deepEqual(events, [['anna', 'by acme']]);
  const text = eventReasonText(sayIn('en'), { kind: 'logout', reason: 'by acme' });
  assert.equal(text, 'signed out at the identity provider acme');
});

test('a log-out of a person ends what the person signed in for there before, and no app password', async (t) => {
  const { service, signIn, tokenWith } = await started(t);
  const [home, work] = [await signIn('s-home'), await signIn()];
  const password = await addAppPassword(service.store, 'anna');
  const log = { method: 'POST', body: JSON.stringify({ username: 'anna', password }) };
  const { data } = (await (await fetch(`${service.url}/api/login`, log)).json()) as {
    data: { ticket: string };
  };
  const early = await tokenWith({ sub: 's-anna', iat: Math.floor(Date.now() / 1_000) - 60 });
  assert.equal((await sendLogout(service, early)).status, 200);
  assert.deepEqual(await Promise.all([home, work].map(isSignedIn)), [true, true], 'they began later');
  assert.equal((await sendLogout(service, await tokenWith({ sub: 's-nobody' }))).status, 200);
  assert.equal((await sendLogout(service, await tokenWith({ sub: 's-anna' }, { typ: 'JWT' }))).status, 200);
  assert.deepEqual(await Promise.all([home, work].map(isSignedIn)), [false, false]);
  const url = `${service.url}/api/login/ticket/${data.ticket}?alf_ticket=${data.ticket}`;
  assert.equal((await fetch(url)).status, 200, 'the ticket of an app password is no session');
});

test('what is no logout token of this provider ends nothing, and a forged one counts as a failure', async (t) => {
  const { service, acme, signIn, tokenWith } = await started(t);
  const anna = await signIn('s-home');
  const now = Math.floor(Date.now() / 1_000);
  const sid = 's-home';
  const refused: readonly (readonly [string, Promise<string>])[] = [
    ['of a nonce', tokenWith({ sid, nonce: 'n' })],
    ['without the event', tokenWith({ sid, events: {} })],
    ['with an event that is no object', tokenWith({ sid, events: { [EVENT]: true } })],
    ['of another type', tokenWith({ sid }, { typ: 'at+jwt' })],
    ['for another client', tokenWith({ sid, aud: 'other' })],
    ['of another issuer', tokenWith({ sid, iss: 'https://id.example.org' })],
    ['that expired', tokenWith({ sid, iat: now - 300, exp: now - 200 })],
    ['without an end', tokenWith({ sid, exp: undefined } as never)],
    ['without a time', tokenWith({ sid, iat: undefined } as never)],
    ['about nobody', tokenWith({})],
    ['with an odd session', tokenWith({ sid: 7, sub: 's-anna' })],
    ['that is an ID token', acme.sign({ iss: acme.issuer, aud: 'tessera', iat: now, exp: now + 60, sid })],
  ];
  for (const [what, token] of refused) {
    const response = await sendLogout(service, await token);
    assert.equal(response.status, 400, `${what}: ${await response.text()}`);
  }
  assert.ok(await isSignedIn(anna));
  assert.equal((await sendLogout(service, '')).status, 400);
  const elsewhere = await fetch(`${service.url}/oauth2/backchannel-logout/acme`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ logout_token: 'x' }),
  });
  assert.match(await elsewhere.text(), /Cross-site change refused/);
  assert.equal((await sendLogout(service, await tokenWith({ sid }), 'other')).status, 404);
  const genuine = await tokenWith({ sid });
  const forged = genuine.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
  assert.equal((await sendLogout(service, forged)).status, 400);
  assert.ok(await isSignedIn(anna));
  const reasons = (await service.store.read((unit) => unit.events.list({})))
    .filter(({ kind }) => kind === 'login-refused')
    .map(({ reason }) => reason);
  assert.deepEqual(reasons, ['its signature is not that of the provider']);
  assert.equal((await sendLogout(service, genuine)).status, 200);
  assert.equal(await isSignedIn(anna), false);
});

test('while the provider is down, its logout token is to come again, and the answer names no address of it', async (t) => {
  const { service, acme, tokenWith } = await started(t);
  const token = await tokenWith({ sid: 's-home' });
  await acme.stop();
  const response = await sendLogout(service, token);
  const text = await response.text();
  assert.equal(response.status, 503, text);
  assert.equal(response.headers.get('retry-after'), '5');
  assert.match(text, /temporarily_unavailable/);
  assert.doesNotMatch(text, /ECONNREFUSED|127\.0\.0\.1|cannot be read/);
});

test('who signs out at another Tessera is signed out here', async (t) => {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const upstream = await startTestService(t, { TESSERA_ISSUER: issuer, TESSERA_PORT: String(port) });
  await upstream.addUser('anna');
  const realm = { issuer: `${issuer}/auth/realms/alfresco`, register: () => undefined };
  const { service } = await startWithProviders(t, { up: [realm as never, { deadline: 60_000 }] });
  const settings = {
    trusted: true,
    public: true,
    redirectUris: [`${service.url}/portal/signed-in/up`],
    backchannelLogoutUri: `${service.url}/oauth2/backchannel-logout/up`,
  };
  await addApplication(upstream, 'tessera', settings);
  const [there, here] = [new Visitor(upstream), new Visitor(service)];
  const { pathname, search } = new URL(await begin(here, 'up'));
  await there.signIn('anna');
  let led = pathname + search;
  while (!led.startsWith(service.url))
    led = leadsTo(await there.get(led.replace(issuer, ''))) ?? assert.fail(led);
  assert.equal((await take(here, new URL(led))).status, 303);
  assert.ok(await isSignedIn(here));
  await there.send('/portal/account', '/portal/logout');
  await until('the ticket has ended here', async () => !(await isSignedIn(here)));
  assert.deepEqual(
    (await logouts(service)).map(({ reason }) => reason),
    ['by up'],
  );
});
