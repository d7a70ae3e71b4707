import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Visitor } from '../../../faces/pages/browse.ts';
import { startTestService } from '../../../service/start.ts';

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
