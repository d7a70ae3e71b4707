import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Visitor } from '../../../faces/pages/browse.ts';
import { startTestService, type TestService } from '../../../service/start.ts';

const GERMAN = { 'Accept-Language': 'de' };

/** What a page says, without its markup. */
const textOf = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

test('the account page says who is signed in, with profile, groups and role', async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  await service.store.write(async ({ users, profiles, groups, roles }) => {
    const user = await users.findByKey('anna');
    assert.ok(user);
    await profiles.put(user.id, { firstName: 'Anna', lastName: '<b>Ö', email: 'anna@example.org' });
    const group = await groups.add({
      name: 'editors',
      key: 'editors',
      displayName: 'The <editors>',
      role: undefined,
    });
    assert.ok(group);
    await groups.addUser(group.id, user.id);
    await roles.give(user.id, 'auditor');
  });
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  const page = await (await visitor.get('/portal/account')).text();
  for (const part of ['Anna &lt;b&gt;Ö', 'anna@example.org', 'The &lt;editors&gt;', 'Auditor'])
    assert.ok(page.includes(part), part);
  assert.ok(!page.includes('<b>Ö') && !page.includes('<editors>'));
  const german = textOf(await (await visitor.get('/portal/account', GERMAN)).text());
  assert.match(german, /Mein Konto.*Benutzername anna.*Gruppen.*Rolle Auditor/);
});

const PROFILE = '/portal/account/profile';

/** Adds a user, and returns it. */
async function added(service: TestService, name: string) {
  await service.addUser(name);
  return (await service.store.read(({ users }) => users.findByKey(name))) ?? assert.fail(name);
}

test('users change names and numbers of their profile, and nothing else of it', async (t) => {
  const service = await startTestService(t);
  const anna = await added(service, 'anna');
  await service.store.write(({ profiles }) =>
    profiles.put(anna.id, { email: 'a@example.org', mobile: '1', jobTitle: 'Cook' }),
  );
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  assert.match(await (await visitor.get('/portal/account')).text(), /Change profile/);
  const sent = { firstName: 'Anna', mobile: '', email: 'of.another@example.org', jobTitle: 'Head' };
  const changed = await visitor.send(PROFILE, PROFILE, sent);
  assert.equal(changed.headers.get('location'), '/portal/account?done=profile');
  const profile = await service.store.read(({ profiles }) => profiles.find(anna.id));
  assert.deepEqual(profile, { firstName: 'Anna', email: 'a@example.org', jobTitle: 'Cook' });
  const [event] = await service.store.read(({ events }) =>
    events.latest({ kind: 'profile-changed', limit: 1 }),
  );
  assert.deepEqual([event?.user, event?.reason], ['anna', 'firstName, mobile']);
  const refused = await visitor.send(PROFILE, PROFILE, { firstName: 'x'.repeat(2_000) });
  assert.equal(refused.status, 422);
});

test('a user of a directory or of SCIM, and one whom anybody may be, changes no profile', async (t) => {
  const service = await startTestService(t);
  for (const name of ['dora', 'ben', 'guest']) {
    const { id } = await added(service, name);
    const visitor = new Visitor(service);
    await visitor.signIn(name);
    const formToken = await visitor.formToken(PROFILE);
    await service.store.write(async ({ users, externalIds }) => {
      if (name === 'dora') await users.change(id, { provider: 'ldap' });
      if (name === 'guest') await users.change(id, { passwordHash: undefined });
      if (name === 'ben') await externalIds.put('user', id, 'x-1');
    });
    assert.match(await (await visitor.get(PROFILE)).text(), /keeps your profile/, name);
    const { status } = await visitor.post(PROFILE, { firstName: 'Eve', formToken });
    assert.equal(status, 303);
    assert.deepEqual(await service.store.read(({ profiles }) => profiles.find(id)), {}, name);
  }
});

test('the account page lists the own sign-ins and refused tries, in plain words, and those of no other user', async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  await service.addUser('bert');
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  await new Visitor(service).signIn('bert');
  const own = async (headers = {}) =>
    textOf(await (await visitor.get('/portal/account', headers)).text())
      .split('Recent sign-ins')
      .at(-1) ?? '';
  const before = await own();
  assert.equal(before.match(/Signed in/g)?.length, 1, before);
  assert.match(before, /UTC Signed in 127\.0\.0\.1/);
  await service.store.write(async ({ events }) => {
    const at = Date.now();
    const who = { at, user: 'anna', from: '192.0.2.1' };
    await events.append({ ...who, kind: 'login-refused', reason: 'wrong-password', program: 'curl/8.5.0' });
    await events.append({ ...who, kind: 'login-refused', reason: '<i>unheard of' });
    await events.append({ ...who, kind: 'lock', reason: 'too many failures' });
    await events.tally({ ...who, kind: 'login-refused', reason: 'waiting' }, 3);
    await events.append({ ...who, user: 'bert', from: '192.0.2.99', kind: 'login-refused' });
    await events.append({ ...who, kind: 'login', reason: 'app password scanner' });
    await events.append({ ...who, kind: 'password-changed', actor: 'admin', from: '192.0.2.7' });
  });
  const after = await own();
  assert.match(after, /Refused wrong password 192\.0\.2\.1 curl 8\.5/);
  assert.match(after, /Refused 192\.0\.2\.1/);
  assert.match(after, /Account locked for a while, after too many failures 192\.0\.2\.1/);
  assert.match(after, /Refused a wait after wrong passwords was not over 3 times 192\.0\.2\.1/);
  assert.ok(!after.includes('192.0.2.99') && !after.includes('unheard of'));
  assert.match(after, /Signed in with the app password scanner 192\.0\.2\.1/);
  assert.match(after, /Password changed by admin 192\.0\.2\.7/);
  assert.match(await own(GERMAN), /Abgelehnt falsches Passwort/);
});
