import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadProviders } from '../../../src/capabilities/oidc/load.ts';
import { type PersonClaims, personFrom } from '../../../src/capabilities/oidc/person.ts';
import { ACME, providersDocument } from './written.ts';

/** The person that a provider with these members in the document makes of claims. */
async function personOf(
  t: Parameters<typeof providersDocument>[0],
  members: object,
  claims: Omit<PersonClaims, 'sub'>,
) {
  const file = await providersDocument(t, JSON.stringify({ providers: [{ ...ACME, ...members }] }));
  const [configuration = assert.fail()] = loadProviders(file);
  return personFrom(configuration, { sub: 's-1', ...claims });
}

test('claims become name and profile; values that are no text, empty or too long are left out', async (t) => {
  const claims = { preferred_username: ' anna ', given_name: 7, family_name: 'B\u0000', email: ' ' };
  assert.deepEqual(await personOf(t, {}, claims), {
    ...{ provider: 'acme', subject: 's-1', name: 'anna', profile: {}, groups: undefined },
  });
});

test('other claims are named in the document, also members of claims', async (t) => {
  const members = {
    claims: { name: 'https://example.org/login', firstName: 'profile.first' },
    groups: { claim: 'realm_access.roles' },
  };
  const claims = {
    'https://example.org/login': 'anna',
    profile: { first: 'Anna' },
    realm_access: { roles: ['editors', '/staff', 'GROUP_EVERYONE', 'a/b'] },
  };
  assert.deepEqual(await personOf(t, members, claims), {
    ...{ provider: 'acme', subject: 's-1', name: 'anna', profile: { firstName: 'Anna' } },
    groups: ['editors', 'staff'],
  });
  const inherited = { claims: { name: 'constructor.name' } };
  assert.ok('fault' in (await personOf(t, inherited, {})));
});

test('a person is known by the claim that the document names, and by no other one', async (t) => {
  const members = { claims: { subject: 'oid' } };
  const claims = { preferred_username: 'anna' };
  const person = await personOf(t, members, { ...claims, oid: 'object-7' });
  assert.equal('subject' in person && person.subject, 'object-7');
  for (const oid of [undefined, '', 7]) {
    const refused = await personOf(t, members, { ...claims, oid });
    assert.match('fault' in refused ? refused.fault : '', /the claim oid with the identifier/);
  }
});

test('an address for mail that the provider has not verified is neither kept nor a name', async (t) => {
  const claims = { preferred_username: 'anna', email: 'boss@example.org' };
  const kept = await personOf(t, {}, claims);
  assert.deepEqual('profile' in kept && kept.profile, { email: 'boss@example.org' });
  for (const email_verified of [false, 'false']) {
    const person = await personOf(t, {}, { ...claims, email_verified });
    assert.deepEqual('profile' in person && person.profile, {});
    const named = await personOf(t, { claims: { name: 'email' } }, { ...claims, email_verified });
    assert.match('fault' in named ? named.fault : '', /has not verified/);
  }
});

test('groups by name are all that count, and none are guessed if the provider leaves them out', async (t) => {
  const groups = { claim: 'groups', names: { '8f1c': 'editors' } };
  const claims = { preferred_username: 'anna' };
  const person = await personOf(t, { groups }, { ...claims, groups: ['8f1c', 'administrators'] });
  assert.deepEqual('groups' in person && person.groups, ['editors']);
  const one = await personOf(t, { groups: { claim: 'groups' } }, { ...claims, groups: 'staff' });
  assert.deepEqual('groups' in one && one.groups, ['staff']);
  const elsewhere = { ...claims, _claim_names: { groups: 'src1' } };
  const many = await personOf(t, { groups }, elsewhere);
  assert.match('fault' in many ? many.fault : '', /^the groups are too many for a token: have the provider/);
});
