import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { EventKind } from '../../../../src/core/domain/event.ts';
import { newGroup } from '../../../../src/core/domain/group.ts';
import { UNTIL_UNLOCKED } from '../../../../src/core/domain/user.ts';
import type { UserChange } from '../../../../src/core/storage/store.ts';
import { eventReasonText } from '../../../../src/faces/pages/event-texts.ts';
import { sayIn } from '../../../../src/faces/pages/texts/texts.ts';
import { formOn, Visitor } from '../../../faces/pages/browse.ts';
import { addAppPassword } from '../../../service/app-passwords.ts';
import { type Claims, startIdentityProvider } from '../../../service/identity-provider.ts';
import { startTestService, type TestService, temporaryFolder } from '../../../service/start.ts';
import { asked } from '../../admin/http/asked.ts';
import {
  addressIn,
  begin,
  refusedWith,
  rewrite,
  signInWith,
  startWithAcme,
  startWithProviders,
  take,
} from './provider-visit.ts';

test('the sign-in page has a button for each provider, which leads there with PKCE, state and nonce', async (t) => {
  const { service, acme } = await startWithAcme(t);
  const visitor = new Visitor(service);
  const page = await (await visitor.get('/portal/login?return=/portal/account')).text();
  assert.deepEqual(formOn(page, '/portal/sign-in-with/acme'), { return: '/portal/account' });
  assert.match(page, /Sign in with The acme/);
  const address = new URL(await begin(visitor));
  assert.equal(address.origin, acme.issuer);
  const asked = address.searchParams;
  assert.equal(asked.get('response_type'), 'code');
  assert.equal(asked.get('code_challenge_method'), 'S256');
  assert.equal(asked.get('redirect_uri'), `${service.url}/portal/signed-in/acme`);
  assert.equal(asked.get('scope'), 'openid profile email');
  for (const name of ['state', 'nonce', 'code_challenge'])
    assert.ok((asked.get(name) ?? '').length >= 43, name);
  const [sealed = ''] = visitor.cookies.values();
  for (const name of ['state', 'nonce']) assert.ok(!sealed.includes(asked.get(name) ?? ''), name);
});

test('where people have to sign in anew the provider is told so, also after a wrong password', async (t) => {
  const { service } = await startWithAcme(t);
  const visitor = new Visitor(service);
  const pages = [await (await visitor.get('/portal/login?again=anew')).text()];
  const refused = await visitor.post('/portal/login', {
    ...formOn(pages[0] ?? '', '/portal/login'),
    username: 'nobody',
    password: 'wrong',
  });
  pages.push(await refused.text());
  for (const page of pages) {
    const form = formOn(page, '/portal/sign-in-with/acme') ?? assert.fail(page);
    const address = new URL(addressIn(await (await visitor.post('/portal/sign-in-with/acme', form)).text()));
    const { prompt, max_age: age } = Object.fromEntries(address.searchParams);
    assert.deepEqual([prompt, age], ['login', '0']);
  }
});

test('a person who signs in at the provider is signed in here, as a new user with profile and groups', async (t) => {
  const { service, acme } = await startWithAcme(t, {
    groups: { claim: 'groups' },
    scopes: ['profile', 'email', 'groups'],
  });
  const visitor = new Visitor(service);
  const response = await signInWith(visitor, acme, { subject: 's-anna', back: '/portal/account?a=b' });
  assert.equal(response.status, 303, await response.text());
  assert.equal(response.headers.get('location'), '/portal/account?a=b');
  assert.deepEqual([...visitor.cookies.keys()], ['tessera'], 'nothing is left of the attempt');
  assert.match(await (await visitor.get('/portal/account')).text(), /You are signed in as anna/);
  const { body } = await asked(service, '/users/anna/tickets', {}, 'auditor');
  assert.deepEqual(body.items[0]?.methods, ['fed']);
  const metrics = await service.watched.metrics.text();
  assert.match(metrics, /^tessera_logins_total\{outcome="ok"\} 1$/m);
  const [profile, groups, events] = await service.store.read(async (unit) => {
    const user = (await unit.users.findByKey('anna')) ?? assert.fail();
    assert.equal(user.provider, 'acme');
    return [await unit.profiles.find(user.id), await unit.groups.ofUser(user.id), await unit.events.list({})];
  });
  assert.deepEqual({ ...profile }, { firstName: 'Anna', lastName: 'Berg', email: 'anna@example.org' });
  assert.deepEqual(
    groups.map(({ name }) => name),
    ['editors'],
  );
  const login = events.find(({ kind }) => kind === 'login');
  assert.deepEqual([login?.user, login?.reason], ['anna', 'by acme']);
  const { kind = 'logout', reason } = login ?? {};
  assert.equal(eventReasonText(sayIn('de'), { kind, reason }), 'beim Identitätsanbieter acme');
});

test('an answer counts once, and only in the browser that began the sign-in, with its own state', async (t) => {
  const { service, acme } = await startWithAcme(t);
  const visitor = new Visitor(service);
  const OUTDATED =
    '403 This sign-in was begun in another browser or too long ago. Begin again on the sign-in page.';
  const led = await acme.signIn(await begin(visitor), 's-anna');
  assert.equal(await refusedWith(await take(new Visitor(service), led)), OUTDATED, 'another browser');
  const other = new Visitor(service);
  await begin(other);
  assert.equal(await refusedWith(await take(other, led)), OUTDATED, 'a browser with an attempt of its own');
  const without = new URL(led);
  without.searchParams.delete('state');
  assert.equal(await refusedWith(await take(visitor, without)), OUTDATED, 'no state');
  const cookies = new Map(visitor.cookies);
  assert.equal((await take(visitor, led)).status, 303);
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  assert.equal(await refusedWith(await take(visitor, led)), OUTDATED, 'a second time');
});

const NOT_ADMITTED = /^403 The identity provider knows you, but you cannot sign in here/;

/** The newest event of a kind. */
async function newest({ store }: TestService, kind: EventKind) {
  const events = await store.read((unit) => unit.events.list({}));
  return events.findLast((event) => event.kind === kind);
}

test('a user who is disabled, locked or removed here cannot sign in, and administrators see why', async (t) => {
  const { service, acme } = await startWithAcme(t);
  const visitor = new Visitor(service);
  const attempt = async () =>
    refusedWith(await signInWith(new Visitor(service), acme, { subject: 's-anna' }));
  assert.equal((await signInWith(visitor, acme, { subject: 's-anna' })).status, 303);
  const change = (changes: UserChange) =>
    service.store.write(async ({ users }) => {
      const { id } = (await users.findByKey('anna')) ?? assert.fail();
      await users.change(id, changes);
    });
  await change({ disabled: true });
  assert.match(await attempt(), NOT_ADMITTED);
  assert.equal((await newest(service, 'login-refused'))?.reason, 'disabled');
  await change({ disabled: false, lockedUntil: UNTIL_UNLOCKED });
  assert.match(await attempt(), NOT_ADMITTED);
  const locked = await newest(service, 'login-refused');
  assert.deepEqual([locked?.user, locked?.reason], ['anna', 'locked']);
  await service.store.write(async ({ users }) => users.remove((await users.findByKey('anna'))?.id ?? 0));
  assert.match(await attempt(), NOT_ADMITTED);
  const removed = await newest(service, 'login-refused');
  assert.deepEqual([removed?.user, removed?.reason], ['an… (4 characters)', 'acme: removed here']);
});

test('the name of a local user is not given away, unless the document says so', async (t) => {
  const { service, acme, file } = await startWithAcme(t);
  await service.addUser('anna');
  const local = await signInWith(new Visitor(service), acme, { subject: 's-anna' });
  assert.match(await refusedWith(local), /^403 Another account here has your user name/);
  assert.equal((await newest(service, 'login-refused'))?.reason, 'acme: the name of a local user');
  const appPassword = await addAppPassword(service.store, 'anna');
  const logIn = async () =>
    (
      await fetch(`${service.url}/api/login`, {
        method: 'POST',
        body: JSON.stringify({ username: 'anna', password: appPassword }),
      })
    ).status;
  assert.equal(await logIn(), 200);
  await rewrite(service, file, { takesLocalNames: true });
  assert.equal((await signInWith(new Visitor(service), acme, { subject: 's-anna' })).status, 303);
  assert.equal(await logIn(), 403, 'an app password of the local user, which another person may have');
  acme.people.set('s-other', { preferred_username: 'anna' });
  const other = await signInWith(new Visitor(service), acme, { subject: 's-other' });
  assert.match(await refusedWith(other), /^403 Another account here/, 'the person counts, not the name');
});

test('a changed document counts at once, a faulty one changes nothing, and at the start it is refused', async (t) => {
  const { service, acme, file } = await startWithAcme(t);
  const visitor = new Visitor(service);
  const button = async () =>
    /Sign in with [^<]*/.exec(await (await visitor.get('/portal/login')).text())?.[0];
  await rewrite(service, file, { name: 'Acme & Co' });
  assert.equal(await button(), 'Sign in with Acme &amp; Co');
  await rewrite(service, file, { addsUsers: false });
  assert.match(await refusedWith(await signInWith(visitor, acme, { subject: 's-anna' })), NOT_ADMITTED);
  await rewrite(service, file, { signIn: false });
  assert.equal(await button(), undefined);
  assert.equal((await visitor.post('/portal/sign-in-with/acme', {})).status, 404);
  writeFileSync(file, '{');
  service.reload();
  assert.equal(await button(), undefined);
  await assert.rejects(startTestService(t, { TESSERA_PROVIDERS: file }), /is not JSON/);
});

test('groups come and go with what the provider says, and a name may change there', async (t) => {
  const { service, acme } = await startWithAcme(t, {
    ...{ groups: { claim: 'groups', prefix: 'acme-' }, scopes: ['profile', 'groups'] },
  });
  const groupsAfter = async (claims: Claims) => {
    acme.people.set('s-anna', { preferred_username: 'anna', ...claims });
    assert.equal((await signInWith(new Visitor(service), acme, { subject: 's-anna' })).status, 303);
    return service.store.read(async (unit) => {
      const { id } =
        (await unit.users.findByKey(String(claims.preferred_username ?? 'anna'))) ?? assert.fail();
      return (await unit.groups.ofUser(id)).map(({ name }) => name).sort();
    });
  };
  assert.deepEqual(await groupsAfter({ groups: ['/a', 'b', 'b', 7, 'x/y'] }), ['acme-a', 'acme-b']);
  await service.store.write(({ groups }) => groups.add(newGroup('acme-rulers', { role: 'administrator' })));
  const unnamed = await groupsAfter({ groups: ['b', 'c', 'rulers'] });
  assert.deepEqual(unnamed, ['acme-b', 'acme-c'], 'a group with a role that the document does not name');
  assert.deepEqual(await groupsAfter({ groups: [], preferred_username: 'anna2' }), []);
});

test('claims that stand at the userinfo endpoint only are read there', async (t) => {
  const acme = await startIdentityProvider(t, { claimsInUserInfo: true });
  acme.people.set('s-anna', { preferred_username: 'anna', groups: ['editors'] });
  const members = {
    groups: { claim: 'groups', names: { editors: 'writers' } },
    scopes: ['profile', 'groups'],
  };
  const { service } = await startWithProviders(t, { acme: [acme, members] });
  assert.equal((await signInWith(new Visitor(service), acme, { subject: 's-anna' })).status, 303);
  assert.ok(acme.asked.includes('/me'));
  const group = await service.store.read(({ groups }) => groups.findByKey('writers'));
  assert.equal(group?.name, 'writers');
});

test('a provider that changed its keys a moment ago signs in', async (t) => {
  const { service, acme } = await startWithAcme(t);
  for (const keepOld of [false, true]) {
    assert.equal((await signInWith(new Visitor(service), acme, { subject: 's-anna' })).status, 303);
    acme.rotateKeys(keepOld);
  }
  assert.equal((await signInWith(new Visitor(service), acme, { subject: 's-anna' })).status, 303);
});

test('each sign-in has a new ticket, and leads to the own host or to one that is set', async (t) => {
  const { service, acme } = await startWithAcme(t, {}, { TESSERA_RETURN_HOSTS: 'wiki.example.org' });
  const visitor = new Visitor(service);
  await visitor.signIn('admin');
  const before = visitor.cookies.get('tessera');
  const leads = async (back: string) =>
    (await signInWith(visitor, acme, { subject: 's-anna', back })).headers.get('location');
  assert.equal(await leads('https://wiki.example.org/page'), 'https://wiki.example.org/page');
  assert.notEqual(visitor.cookies.get('tessera'), before);
  const logout = await newest(service, 'logout');
  assert.deepEqual([logout?.user, logout?.actor], ['admin', 'anna']);
  assert.equal(await leads('https://evil.example/'), '/portal');
});

test('the portal on a host of its own is led to first: the provider knows no other', async (t) => {
  const { service } = await startWithAcme(t, {}, { TESSERA_PORTAL_URL: 'https://portal.example.org' });
  const visitor = new Visitor(service);
  const response = await visitor.post('/portal/sign-in-with/acme', { return: '/portal/account' });
  const back = encodeURIComponent(`${service.url}/portal/account`);
  assert.equal(addressIn(await response.text()), `https://portal.example.org/portal/login?return=${back}`);
  assert.equal(visitor.cookies.size, 0);
});

test('a client with a secret authenticates with it', async (t) => {
  const acme = await startIdentityProvider(t);
  acme.people.set('s-anna', { preferred_username: 'anna' });
  const folder = await temporaryFolder(t);
  const clientSecretFile = join(folder, 'secret');
  writeFileSync(clientSecretFile, 'of a test: +%\n');
  const confidential = { clientId: 'confidential', clientSecretFile };
  const { service } = await startWithProviders(t, { acme: [acme, confidential] });
  const redirect_uris = [`${service.url}/portal/signed-in/acme`];
  acme.register({ client_id: 'confidential', client_secret: 'another', redirect_uris });
  const wrong = await signInWith(new Visitor(service), acme, { subject: 's-anna' });
  assert.match(await refusedWith(wrong), /^403 The answer of the identity provider does not prove/);
  assert.ok(service.lines.some((line) => line.includes('the token endpoint answers invalid_client')));
  assert.ok(!service.lines.some((line) => line.includes('of a test')));
  acme.register({ client_id: 'confidential', client_secret: 'of a test: +%', redirect_uris });
  assert.equal((await signInWith(new Visitor(service), acme, { subject: 's-anna' })).status, 303);
});
