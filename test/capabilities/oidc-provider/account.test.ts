import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { newGroup } from '../../../src/core/domain/group.ts';
import { Visitor } from '../../faces/pages/browse.ts';
import { readPage } from '../../faces/pages/read-page.ts';
import { startTestService } from '../../service/start.ts';
import { addApplication, leadsTo, PROVIDER, RelyingParty } from './relying-party.ts';

const ACCOUNT = '/portal/account';
const END = '/portal/account/applications/end';
const REFUSED = { error: 'invalid_grant' };

test('the account page shows the applications that know the user, and ends what one has', async (t) => {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  const parties = [];
  for (const name of ['notes', 'plans']) {
    const secret = await addApplication(service, name, { title: `My ${name}`, accessTokens: 'opaque' });
    parties.push(await RelyingParty.discover(service, name, oidc.ClientSecretBasic(secret)));
  }
  const [notes, plans] = parties as [RelyingParty, RelyingParty];
  const visitor = notes.visitor();
  await visitor.signIn('anna');
  const account = async () => readPage(await (await visitor.get(ACCOUNT)).text()).text;
  assert.doesNotMatch(await account(), /Applications that know you/);
  const online = await notes.signIn(visitor);
  const offline = await notes.signIn(visitor, { scope: 'openid offline_access', prompt: 'consent' });
  const other = await plans.signIn(visitor);
  assert.match(await account(), /Applications that know you.*My notes.*My plans/s);

  const ended = await visitor.send(ACCOUNT, END, { application: 'notes' });
  assert.equal(ended.headers.get('location'), `${ACCOUNT}?done=application#applications`);
  const left = await account();
  assert.doesNotMatch(left, /My notes/);
  assert.match(left, /My plans/);
  for (const tokens of [online, offline]) {
    await assert.rejects(oidc.refreshTokenGrant(notes.configuration, tokens.refresh_token ?? ''), REFUSED);
    const state = await oidc.tokenIntrospection(notes.configuration, tokens.access_token);
    assert.equal(state.active, false);
  }
  assert.ok((await oidc.refreshTokenGrant(plans.configuration, other.refresh_token ?? '')).access_token);
  const asked = await notes.begin();
  assert.match(leadsTo(await visitor.get(asked.path)) ?? '', /\/portal\/applications\/consent/);
  const events = await service.store.read((unit) => unit.events.latest({ limit: 20 }));
  assert.ok(events.some(({ kind, reason }) => kind === 'logout' && reason === 'application notes'));
  const unknown = await visitor.send(ACCOUNT, END, { application: 'nothing' });
  assert.equal(unknown.status, 404);
});

test('the account page leads to the applications that people may sign in to, where they say that people begin', async (t) => {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  const start = 'https://wiki.example.org/start';
  await addApplication(service, 'wiki', { title: 'Our wiki', startUri: start, logo: '/portal/mark.svg' });
  await addApplication(service, 'books', { startUri: 'https://books.example.org/', groups: ['staff'] });
  await addApplication(service, 'api');
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  const services = async () => {
    const page = await (await visitor.get(ACCOUNT)).text();
    const [, section = ''] = /<section id="services">(.*?)<\/section>/s.exec(page) ?? [];
    return { section, links: readPage(section).links.map(({ text, to }) => `${text} ${to}`) };
  };
  const before = await services();
  assert.deepEqual(before.links, [`Our wiki ${start}`]);
  assert.match(before.section, /<img class="tile" src="\/portal\/mark\.svg"/);
  await service.store.write(async ({ users, groups }) => {
    const [user, group] = [await users.findByKey('anna'), await groups.add(newGroup('staff'))];
    await groups.addUser(group?.id ?? assert.fail(), user?.id ?? assert.fail());
  });
  assert.deepEqual((await services()).links, ['books https://books.example.org/', `Our wiki ${start}`]);
});

test('an application gets claims of its access tokens under the names that it is registered with', async (t) => {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  const secret = await addApplication(service, 'app', { trusted: true, claims: { groups: 'roles' } });
  const party = await RelyingParty.discover(service, 'app', oidc.ClientSecretBasic(secret));
  const tokens = await party.signIn(party.visitor(), { scope: 'openid groups' });
  const claims = decodeJwt(tokens.access_token);
  assert.deepEqual([claims.roles, claims.preferred_username, claims.azp], [[], 'anna', 'app']);
});

test('"This was not me" ends what applications have: in this browser, elsewhere, and for themselves', async (t) => {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  const secret = await addApplication(service, 'app');
  const party = await RelyingParty.discover(service, 'app', oidc.ClientSecretBasic(secret));
  const [visitor, other] = [party.visitor(), party.visitor()];
  await visitor.signIn('anna');
  const signIns = [
    await party.signIn(visitor),
    await party.signIn(other),
    await party.signIn(visitor, { scope: 'openid offline_access', prompt: 'consent' }),
  ];
  const notMe = `${ACCOUNT}/not-me`;
  assert.match(await (await visitor.get(notMe)).text(), /the sign-in at 1 application, also in this browser/);
  const answered = await visitor.send(notMe, notMe, {
    oldPassword: 'correct-horse-battery',
    newPassword: 'an even longer, quieter river',
  });
  assert.equal(answered.headers.get('location'), `${ACCOUNT}?done=not-me`);
  for (const { refresh_token, access_token } of signIns) {
    await assert.rejects(oidc.refreshTokenGrant(party.configuration, refresh_token ?? ''), REFUSED);
    assert.equal((await oidc.tokenIntrospection(party.configuration, access_token)).active, false);
  }
  const asked = await party.begin();
  assert.match(leadsTo(await visitor.get(asked.path)) ?? '', /\/portal\/applications\/consent/);
});
