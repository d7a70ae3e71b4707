import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as oidc from 'openid-client';
import { newGroup } from '../../../src/core/domain/group.ts';
import { startTestService } from '../../service/start.ts';
import { addApplication, PROVIDER, RelyingParty } from './relying-party.ts';

const ME = '/alfresco/api/-default-/public/alfresco/versions/1/people/-me-';
const TICKET = '/alfresco/api/-default-/public/authentication/versions/1/tickets/-me-';

test('an application that acts for its users calls the API with its access tokens, until the ticket ends', async (t) => {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  const call = (path: string, token: string) =>
    fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } });
  const signIn = async (name: string, settings: object) => {
    const secret = await addApplication(service, name, { trusted: true, ...settings });
    const party = await RelyingParty.discover(service, name, oidc.ClientSecretBasic(secret));
    const visitor = party.visitor();
    return { visitor, token: (await party.signIn(visitor)).access_token };
  };
  for (const accessTokens of ['jwt', 'opaque'] as const) {
    const { visitor, token } = await signIn(`docs-${accessTokens}`, { actsForUser: true, accessTokens });
    const me = (await (await call(ME, token)).json()) as { entry: { id: string } };
    assert.equal(me.entry.id, 'anna');
    const exchanged = (await (await call(TICKET, token)).json()) as { entry: { id: string } };
    assert.match(exchanged.entry.id, /^TICKET_/);
    await visitor.send('/portal/account', '/portal/logout');
    const ended = await call(ME, token);
    assert.equal(ended.status, 401);
    assert.match(await ended.text(), /own token ended/);
    // The ticket in exchange is the application's own, so the log-out of the browser leaves it.
    assert.equal((await call(ME, exchanged.entry.id)).status, 200);
    await visitor.signIn('anna');
    const application = `docs-${accessTokens}`;
    const done = await visitor.post('/portal/account/applications/end', {
      formToken: await visitor.formToken(),
      application,
    });
    assert.equal(done.status, 303);
    assert.equal((await call(ME, exchanged.entry.id)).status, 401);
  }
  const { token } = await signIn('other', {});
  const refused = await call(ME, token);
  assert.equal(refused.status, 401);
  assert.match(await refused.text(), /may not act for users/);
  assert.equal((await call(ME, 'nothing-of-ours')).status, 401);
});

test('who is taken out of the groups of an application does not act by it any more, and its tokens are not active', async (t) => {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  const inStaff = (isMember: boolean) =>
    service.store.write(async ({ users, groups }) => {
      const anna = (await users.findByKey('anna'))?.id as number;
      const staff = (await groups.findByKey('staff')) ?? (await groups.add(newGroup('staff')));
      await groups[isMember ? 'addUser' : 'removeUser'](staff?.id as number, anna);
    });
  await inStaff(true);
  const secret = await addApplication(service, 'docs', {
    ...{ trusted: true, actsForUser: true, accessTokens: 'opaque' },
    groups: ['staff'],
  });
  const party = await RelyingParty.discover(service, 'docs', oidc.ClientSecretBasic(secret));
  const { access_token: token } = await party.signIn(party.visitor());
  const call = (path: string) => fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } });
  const isActive = async () => (await oidc.tokenIntrospection(party.configuration, token)).active;
  assert.deepEqual([(await call(ME)).status, await isActive()], [200, true]);
  await inStaff(false);
  const refused = await call(ME);
  assert.equal(refused.status, 401);
  assert.match(await refused.text(), /may not use the application/);
  assert.deepEqual([(await call(TICKET)).status, await isActive()], [401, false]);
});
