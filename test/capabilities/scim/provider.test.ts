import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newUser } from '../../../src/core/domain/user.ts';
import { startTestService } from '../../service/start.ts';
import { startForTokens } from '../oidc/v1/token-bearer.ts';
import { askScim, bearer, patchOf } from './scim.ts';

const scimFor = (provider: string) => ({ TESSERA_SCIM: 'true', TESSERA_SCIM_PROVIDER: provider });

test('a user that SCIM made and a person who comes from the provider are the same user, by the claim oid', async (t) => {
  const members = { claims: { subject: 'oid' }, addsUsers: false };
  const { service, acme, asking } = await startForTokens(t, members, {
    TESSERA_SCIM: 'true',
    TESSERA_SCIM_PROVIDER: 'acme',
  });
  const key = bearer(await service.addApiKey('scim'));
  const ask = (what: string, body?: unknown) => askScim(service.url, what, body, key);
  acme.people.set('s-anna', { preferred_username: 'anna@example.org', oid: 'object-1', given_name: 'Anna' });
  const token = await acme.accessToken('s-anna', 'https://tickets.example.org/api');
  assert.equal((await asking(token)).status, 401);
  const none = await ask('POST /Users', { userName: 'anna@example.org' });
  assert.deepEqual([none.status, none.body.scimType], [400, 'invalidValue']);
  const { status, body } = await ask('POST /Users', {
    ...{ userName: 'anna@example.org', externalId: 'object-1', password: 'not taken by anyone' },
  });
  assert.equal(status, 201);
  const user = await service.store.read((unit) => unit.users.find(Number(body.id)));
  assert.deepEqual([user?.provider, user?.passwordHash], ['acme', undefined]);
  assert.equal((await asking(token)).status, 200);
  assert.equal((await ask('GET /Users?filter=externalId eq "object-1"')).body.Resources[0].id, body.id);
  assert.equal((await ask('GET /Users')).body.totalResults, 2);
  const unnamed = await ask(`PATCH /Users/${body.id}`, patchOf({ op: 'remove', path: 'externalId' }));
  assert.deepEqual([unnamed.status, unnamed.body.scimType], [400, 'mutability']);
  const inactive = patchOf({ op: 'Replace', path: 'active', value: 'False' });
  await ask(`PATCH /Users/${body.id}`, inactive);
  assert.equal((await asking(token)).status, 401);
  await ask(`PATCH /Users/${body.id}`, patchOf({ op: 'Replace', path: 'active', value: 'True' }));
  assert.equal(
    (await asking(await acme.accessToken('s-anna', 'https://tickets.example.org/api'))).status,
    200,
  );
});

test('a user whom SCIM disabled is not enabled by its directory or provider', async (t) => {
  const { service } = await startForTokens(t, {}, { TESSERA_SCIM: 'true', TESSERA_SCIM_PROVIDER: 'acme' });
  const key = bearer(await service.addApiKey('scim'));
  const made = await askScim(service.url, 'POST /Users', { userName: 'ben', externalId: 's-ben' }, key);
  const userId = Number(made.body.id);
  await service.store.write(async ({ externalIdentities, users }) => {
    const identity = await externalIdentities.ofUser(userId);
    if (identity !== undefined) await externalIdentities.put({ ...identity, disabledThere: true });
    await users.change(userId, { disabled: true });
  });
  const patched = async (value: object) => {
    await askScim(service.url, `PATCH /Users/${userId}`, patchOf({ op: 'replace', value }), key);
    return service.store.read((unit) => unit.externalIdentities.ofUser(userId));
  };
  const retitled = await patched({ title: 'Clerk' });
  assert.equal(retitled?.disabledThere, true, 'another change leaves it to the provider');
  const identity = await patched({ active: false });
  assert.deepEqual([identity?.subject, identity?.disabledThere], ['s-ben', false]);
});

test('a person of the provider does not get a name that SCIM freed, but the person who had it does', async (t) => {
  const { service, acme, asking } = await startForTokens(t, {}, scimFor('acme'));
  const key = bearer(await service.addApiKey('scim'));
  const ask = (what: string, body?: unknown) => askScim(service.url, what, body, key);
  const { id } = (await ask('POST /Users', { userName: 'mia', externalId: 's-mia' })).body;
  const rename = patchOf({ op: 'replace', path: 'userName', value: 'mia.m' });
  assert.equal((await ask(`PATCH /Users/${id}`, rename)).status, 200);
  const statusOf = async (subject: string) => {
    acme.people.set(subject, { preferred_username: 'mia' });
    return (await asking(await acme.accessToken(subject, 'https://tickets.example.org/api'))).status;
  };
  assert.equal(await statusOf('s-other'), 401);
  assert.equal(await statusOf('s-mia'), 200);
});

test('SCIM changes its own users alone, and leaves the others in their groups', async (t) => {
  const { service } = await startForTokens(t, {}, { TESSERA_SCIM: 'true', TESSERA_SCIM_PROVIDER: 'acme' });
  const key = bearer(await service.addApiKey('scim'));
  const ask = (what: string, body?: unknown) => askScim(service.url, what, body, key);
  await service.addUser('local');
  const local = await service.store.read(async ({ users }) => String((await users.findByKey('local'))?.id));
  const own = (await ask('POST /Users', { userName: 'own', externalId: 's-own' })).body.id;
  const { id: group } = (await ask('POST /Groups', { displayName: 'Plain' })).body;
  await service.store.write(({ groups }) => groups.addUser(Number.parseInt(group, 10), Number(local)));
  const add = (value: string) => patchOf({ op: 'add', path: 'members', value: [{ value }] });
  for (const [what, body] of [
    [`PATCH /Users/${local}`, patchOf({ op: 'replace', path: 'active', value: false })],
    [`PUT /Users/${local}`, { userName: 'local', externalId: 's-local' }],
    [`DELETE /Users/${local}`, undefined],
    [`PATCH /Groups/${group}`, patchOf({ op: 'remove', path: `members[value eq "${local}"]` })],
    [`PATCH /Groups/${group}`, patchOf({ op: 'remove', path: 'members', value: [{ value: local }] })],
    ['POST /Groups', { displayName: 'Other', members: [{ value: local }] }],
  ] as const) {
    const { status, body: answer } = await ask(what, body);
    assert.equal(status, 403, what);
    assert.match(answer.detail, /only users of the provider.*"local" has its password here/);
  }
  const members = async () =>
    (await ask(`GET /Groups/${group}`)).body.members.map((each: { value: string }) => each.value);
  await ask(`PATCH /Groups/${group}`, add(own));
  assert.deepEqual(await members(), [local, own]);
  assert.equal((await ask(`PUT /Groups/${group}`, { displayName: 'Plain', members: [] })).status, 200);
  assert.deepEqual(await members(), [local]);
  await ask(`PATCH /Groups/${group}`, add(own));
  assert.equal((await ask(`PATCH /Groups/${group}`, patchOf({ op: 'remove', path: 'members' }))).status, 204);
  assert.deepEqual(await members(), [local]);
  const without = await startForTokens(t, {}, { TESSERA_SCIM: 'true' });
  const other = bearer(await without.service.addApiKey('scim'));
  const [person] = await without.service.store.write(async ({ users }) => [
    await users.add(
      newUser('foreign', { namesCaseSensitive: false, passwordHash: undefined, provider: 'acme' }),
    ),
  ]);
  const disable = patchOf({ op: 'replace', path: 'active', value: false });
  assert.equal(
    (await askScim(without.service.url, `PATCH /Users/${person?.id}`, disable, other)).status,
    403,
  );
});

test('a provider that is not set up is refused at the start', async (t) => {
  const provider = { TESSERA_SCIM_PROVIDER: 'acme' };
  for (const [env, why] of [
    [provider, /TESSERA_SCIM_PROVIDER: is of no use alone: set TESSERA_SCIM=true/],
    [{ ...provider, TESSERA_SCIM: 'true' }, /the provider "acme" is not set up: set TESSERA_PROVIDERS/],
    [{ TESSERA_SCIM: 'true', TESSERA_SCIM_PROVIDER: 'ldap' }, /"ldap" is not set up: set TESSERA_LDAP_URLS/],
  ] as const)
    await assert.rejects(startTestService(t, env), why);
  const other = { TESSERA_SCIM: 'true', TESSERA_SCIM_PROVIDER: 'other' };
  await assert.rejects(startForTokens(t, {}, other), /no provider in TESSERA_PROVIDERS has the id "other"/);
});
