import assert from 'node:assert/strict';
import { test } from 'node:test';
import { learn } from '../../../../src/capabilities/migration/shadow/shadow-verifier.ts';
import { newGroup } from '../../../../src/core/domain/group.ts';
import { hasCost } from '../../../../src/core/identity/password-hash.ts';
import { tryBy, WAYS } from '../../../core/identity/on-the-wire/trying.ts';
import { aUser } from '../../../core/storage/conformance/samples.ts';
import { openMemory } from '../../../engines/memory/open.ts';
import { logIn } from '../../../service/talk.ts';
import { differences, inTheShadow, userOf } from './in-the-shadow.ts';
import { answer, type OldUser } from './old-server.ts';

test('an unknown user whom the old server accepts is learned, without special rights, and no longer needs it', async (t) => {
  const { old, service } = await inTheShadow(t);
  old.users.set('ann', { password: 'old password', userName: 'Ann' });
  await logIn(service.url, 'ANN', 'old password');
  const user = await userOf(service, 'ann');
  assert.deepEqual([user?.name, user?.administrator, user?.disabled], ['Ann', false, false]);
  assert.ok(hasCost(user?.passwordHash ?? '', { memory: 8, passes: 1, lanes: 1 }));
  assert.deepEqual(differences(service), [
    { user: 'AN… (3 characters)', ours: 403, theirs: 200, came: 'learned' },
  ]);
  old.instead = (_request, response) => answer(response, 500, {});
  await logIn(service.url, 'ann', 'old password');
  const events = await service.store.read((unit) => unit.events.list({ user: 'ann' }));
  assert.deepEqual(
    events.map(({ kind, from, reason }) => [kind, from, reason]),
    [
      ['user-added', '127.0.0.1', 'learned from the old server'],
      ['login', '127.0.0.1', undefined],
      ['login', '127.0.0.1', undefined],
    ],
  );
});

test('a learned user has the profile and the groups of the person there, as far as they can be kept', async (t) => {
  const { old, service } = await inTheShadow(t);
  const groups = [
    { itemName: 'GROUP_staff', displayName: 'All staff' },
    { itemName: 'GROUP_more', displayName: null },
    { itemName: 'GROUP_EVERYONE', displayName: 'Everyone' },
    { itemName: 'GROUP_ALFRESCO_ADMINISTRATORS', displayName: 'Administrators' },
    { itemName: 'GROUP_a/b' },
    'GROUP_text',
    null,
  ];
  const more = {
    firstName: 'Ann',
    lastName: null,
    jobtitle: 'Clerk',
    persondescription: 'Likes tea',
    location: 'two\nlines',
    email: 7,
    companyemail: 'office@example.org',
  };
  old.users.set('ann', { password: 'old password', more, groups });
  await logIn(service.url, 'ann', 'old password');
  const { id = 0 } = (await userOf(service, 'ann')) ?? {};
  await service.store.read(async (unit) => {
    const profile = { firstName: 'Ann', jobTitle: 'Clerk', description: 'Likes tea' };
    assert.deepEqual(await unit.profiles.find(id), profile);
    const found = (await unit.groups.ofUser(id)).map(({ name, displayName }) => [name, displayName]);
    assert.deepEqual(found, [
      ['more', 'more'],
      ['staff', 'All staff'],
    ]);
    assert.equal(await unit.roles.of(id), undefined);
    const events = await unit.events.list({});
    assert.deepEqual(
      events
        .filter(({ kind }) => kind.startsWith('group-'))
        .map(({ kind, user, from, reason }) => [kind, user, from, reason]),
      [
        ['group-added', undefined, '127.0.0.1', 'GROUP_staff'],
        ['group-joined', 'ann', '127.0.0.1', 'GROUP_staff'],
        ['group-added', undefined, '127.0.0.1', 'GROUP_more'],
        ['group-joined', 'ann', '127.0.0.1', 'GROUP_more'],
      ],
    );
  });
});

test('a learned user joins no group here that would give it a role, not even by another group', async (t) => {
  const { old, service } = await inTheShadow(t);
  await service.store.write(async ({ groups }) => {
    const outer = await groups.add(newGroup('outer', { role: 'operator' }));
    const inner = await groups.add(newGroup('inner'));
    await groups.add(newGroup('plain'));
    await groups.addGroup(outer?.id ?? 0, inner?.id ?? 0);
  });
  const groups = ['inner', 'outer', 'plain'].map((name) => ({ itemName: `GROUP_${name}` }));
  old.users.set('ann', { password: 'old password', groups });
  await logIn(service.url, 'ann', 'old password');
  const { id = 0 } = (await userOf(service, 'ann')) ?? {};
  await service.store.read(async (unit) => {
    assert.deepEqual(
      (await unit.groups.ofUser(id)).map(({ name }) => name),
      ['plain'],
    );
    assert.equal(await unit.roles.of(id), undefined);
    const joined = (await unit.events.list({})).filter(({ kind }) => kind === 'group-joined');
    assert.deepEqual(
      joined.map(({ reason }) => reason),
      ['GROUP_plain'],
    );
  });
});

test('a person with a thousand groups is learned with all of them', async (t) => {
  const { old, service } = await inTheShadow(t);
  const groups = Array.from({ length: 1_000 }, (_, index) => ({
    itemName: `GROUP_department-of-something-long-${index}`,
    displayName: `The department of something that has a long name, number ${index}`,
  }));
  old.users.set('ann', { password: 'old password', groups });
  await logIn(service.url, 'ann', 'old password');
  const { id = 0 } = (await userOf(service, 'ann')) ?? {};
  assert.equal((await service.store.read((unit) => unit.groups.ofUser(id))).length, 1_000);
});

test('a user whose first request is Basic or a login by GET is learned too', async (t) => {
  const { old, service } = await inTheShadow(t);
  for (const way of WAYS) {
    old.users.set(way, { password: 'old password' });
    assert.ok((await tryBy(way, service.url, way, 'old password')).letIn, way);
    assert.ok(await userOf(service, way));
    assert.equal((await tryBy(way, service.url, way, 'wrong')).letIn, false);
  }
});

test('a user with several parallel logins is learned once, and each login succeeds', async (t) => {
  const { old, service } = await inTheShadow(t);
  old.users.set('ann', { password: 'old password' });
  const tickets = await Promise.all([1, 2, 3, 4].map(() => logIn(service.url, 'ann', 'old password')));
  assert.equal(new Set(tickets).size, 4);
  assert.equal(differences(service).filter(({ came }) => came === 'learned').length, 1);
});

/** Persons whom the old server accepts and who are not learned here, and why. */
const NEVER: Readonly<Record<string, OldUser & { readonly name?: string; readonly why: RegExp }>> = {
  'an administrator of the old server': { password: 'p', isAdmin: true, why: /an administrator there/ },
  'an administrator by the newer member only': {
    password: 'p',
    person: { userName: 'x', isAdminAuthority: true, capabilities: { isAdmin: false, isGuest: false } },
    why: /an administrator there/,
  },
  'the guest of the old server': { password: 'p', isGuest: true, why: /the guest there/ },
  'guest by name': { name: 'Guest', password: 'p', why: /not learned: the guest/ },
  'a person whose rights are missing': { password: 'p', person: { userName: 'x' }, why: /does not tell/ },
  'a person whose rights are not booleans': { password: 'p', isAdmin: 'false', why: /does not tell/ },
  'a person whose name no user can have here': {
    name: 'ticket_x',
    password: 'p',
    userName: 'TICKET_x',
    why: /a name that no user can have here/,
  },
  'a person who has another name there': { password: 'p', userName: 'somebody', why: /another name there/ },
};

for (const [kind, { name = 'x', why, ...user }] of Object.entries(NEVER)) {
  test(`${kind} is not learned, and answered like a wrong password`, async (t) => {
    const { old, service } = await inTheShadow(t);
    old.users.set(name.toLowerCase(), user);
    const right = await tryBy('post', service.url, name, 'p');
    assert.deepEqual(right, await tryBy('post', service.url, name, 'wrong'));
    assert.equal(right.status, 403);
    assert.equal(await userOf(service, name), undefined);
    const [told] = differences(service);
    assert.deepEqual([told?.ours, told?.theirs], [403, 200]);
    assert.match(told?.came ?? '', why);
  });
}

test('an old server that fails to describe a person is a fault, and one that refuses to is a refusal', async (t) => {
  const { old, service } = await inTheShadow(t);
  for (const [status, ours] of [
    [302, 503],
    [400, 503],
    [408, 503],
    [429, 503],
    [500, 503],
    ['a page', 503],
    [401, 403],
    [403, 403],
    [404, 403],
  ] as const) {
    old.instead = ({ url }, response) => {
      if (url?.endsWith('/login')) answer(response, 200, { data: { ticket: 'TICKET_of_x' } });
      else if (status === 'a page') response.writeHead(200).end('<!doctype html>');
      else answer(response, status, {});
    };
    assert.equal((await tryBy('post', service.url, 'x', 'p')).status, ours, `${status}`);
  }
});

test('a name that was removed here is not learned, in upper or lower case', async (t) => {
  const { old, service } = await inTheShadow(t);
  old.users.set('ann', { password: 'old password' });
  await logIn(service.url, 'ann', 'old password');
  const user = await userOf(service, 'ann');
  await service.store.write(({ users }) => users.remove(user?.id as number));
  for (const name of ['ann', 'ANN'])
    assert.equal((await tryBy('post', service.url, name, 'old password')).status, 403);
  assert.equal(await userOf(service, 'ann'), undefined);
  assert.match(differences(service).at(-1)?.came ?? '', /not learned: removed here/);
});

test('a name that is removed here while the old server answers is not learned', async (t) => {
  const { old, service } = await inTheShadow(t);
  old.instead = async ({ url }, response) => {
    if (url?.endsWith('/login')) return answer(response, 200, { data: { ticket: 'TICKET_of_ann' } });
    await service.addUser('ann');
    const { id } = (await userOf(service, 'ann')) as { id: number };
    await service.store.write(({ users }) => users.remove(id));
    answer(response, 200, { userName: 'ann', capabilities: { isAdmin: false, isGuest: false } });
  };
  assert.equal((await tryBy('post', service.url, 'ann', 'old password')).status, 403);
  assert.equal(await userOf(service, 'ann'), undefined);
});

test('for a known user only the password here counts, and another one there changes nothing', async (t) => {
  const { old, service } = await inTheShadow(t);
  await service.addUser('ann');
  const before = await userOf(service, 'ann');
  old.users.set('ann', { password: 'old password' });
  assert.equal((await tryBy('post', service.url, 'ann', 'old password')).status, 403);
  assert.deepEqual((await userOf(service, 'ann'))?.passwordHash, before?.passwordHash);
  assert.deepEqual(differences(service), [
    { user: 'an… (3 characters)', ours: 403, theirs: 200, came: 'known here, decided here' },
  ]);
});

test('a user who is disabled or locked by hand is refused, whatever the old server says', async (t) => {
  const { old, service } = await inTheShadow(t);
  const { UNTIL_UNLOCKED } = await import('../../../../src/core/domain/user.ts');
  for (const [name, change] of [
    ['off', { disabled: true }],
    ['out', { lockedUntil: UNTIL_UNLOCKED }],
  ] as const) {
    await service.addUser(name);
    const { id } = (await userOf(service, name)) as { id: number };
    await service.store.write(({ users }) => users.change(id, change));
    old.users.set(name, { password: 'old password' });
    for (const password of ['old password', 'wrong'])
      assert.equal((await tryBy('post', service.url, name, password)).status, 403);
  }
});

test('a group that is refused takes back no more than itself, and leaves no role behind', async () => {
  const store = openMemory();
  await store.write((unit) => unit.groups.add(newGroup('bosses', { role: 'administrator' })));
  const groups = ['bosses', 'bad/name', 'cooks'].map((name) => ({ name, displayName: undefined }));
  const learned = await learn(
    store,
    aUser('mia'),
    { profile: {}, groups },
    { from: '192.0.2.1', program: undefined },
    0,
  );
  await store.read(async (unit) => {
    const { id } = (await unit.users.findByKey('mia')) ?? { id: 0 };
    assert.equal(id, learned?.id);
    assert.equal(await unit.roles.of(id), undefined);
    assert.deepEqual(
      (await unit.groups.ofUser(id)).map(({ name }) => name),
      ['cooks'],
    );
    const kinds = (await unit.events.list({})).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['user-added', 'group-added', 'group-joined']);
  });
});
