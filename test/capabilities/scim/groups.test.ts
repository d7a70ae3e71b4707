import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newGroup } from '../../../src/core/domain/group.ts';
import { newUser } from '../../../src/core/domain/user.ts';
import { patchOf, type ScimClient, startScim } from './scim.ts';

async function addGroup({ ask }: ScimClient, displayName: string, more: object = {}): Promise<string> {
  const { status, body } = await ask('POST /Groups', { displayName, ...more });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

/** Adds users to the store, whose names begin so, and gives their ids. */
const addUsers = ({ service }: ScimClient, count: number, name = 'member') =>
  service.store.write(async ({ users }) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const state = { namesCaseSensitive: false, passwordHash: '$none' };
      ids.push(String((await users.add(newUser(`${name}-${n}`, state)))?.id));
    }
    return ids;
  });

const values = (ids: readonly string[]) => ids.map((value) => ({ value }));
const add = (...ids: readonly string[]) => patchOf({ op: 'add', path: 'members', value: values(ids) });

const membersOf = async ({ ask }: ScimClient, id: string) =>
  (await ask(`GET /Groups/${id}`)).body.members.map((each: { value: string }) => each.value);

/** Four groups, of which each has all these users, come in two pages, unless their members are left out. */
async function pagesEndEarly({ ask, service }: ScimClient, ids: readonly string[]): Promise<void> {
  for (const displayName of ['Second', 'Third', 'Zebras']) {
    const number = Number.parseInt((await ask('POST /Groups', { displayName })).body.id, 10);
    await service.store.write(async ({ groups }) => {
      for (const id of ids) await groups.addUser(number, Number(id));
    });
  }
  const listed = async (query: string) => {
    const { body } = await ask(`GET /Groups?${query}`);
    return [body.totalResults, body.itemsPerPage, body.Resources.length];
  };
  assert.deepEqual(await listed(''), [4, 3, 3]);
  assert.deepEqual(await listed('startIndex=4'), [4, 1, 1]);
  assert.deepEqual(await listed('excludedAttributes=members'), [4, 4, 4]);
}

test('a group has thousands of members, which are added, replaced and removed', async (t) => {
  const client = await startScim(t, { TESSERA_BODY_LIMIT: '1048576' });
  const { ask } = client;
  const ids = await addUsers(client, 2_000);
  const group = await addGroup(client, 'Everyone here');
  assert.equal((await ask(`PATCH /Groups/${group}`, add(...ids))).status, 204);
  assert.deepEqual(await membersOf(client, group), ids);
  await pagesEndEarly(client, ids);
  const kept = ids.slice(500, 1_500);
  const { body } = await ask(`PUT /Groups/${group}`, { displayName: 'Some', members: values(kept) });
  assert.equal(body.members.length, kept.length);
  const [first = '', second = ''] = kept;
  const some = { op: 'remove', path: `members[value eq "${first}" or value eq "${second}"]` };
  assert.equal((await ask(`PATCH /Groups/${group}`, patchOf(some))).status, 204);
  const byName = { op: 'remove', path: 'members[display ew "-1499"]' };
  assert.equal((await ask(`PATCH /Groups/${group}`, patchOf(byName))).status, 204);
  assert.deepEqual(await membersOf(client, group), kept.slice(2, -1));
  assert.equal((await ask(`PATCH /Groups/${group}`, patchOf({ op: 'remove', path: 'members' }))).status, 204);
  assert.deepEqual(await membersOf(client, group), []);
});

test('behind a group of megabytes the connection is closed, so a client that keeps connections gets it again', async (t) => {
  const client = await startScim(t, { TESSERA_BODY_LIMIT: '1048576' });
  const ids = await addUsers(client, 2_800, 'ᚠ'.repeat(240));
  const group = await addGroup(client, 'Everyone here');
  assert.equal((await client.ask(`PATCH /Groups/${group}`, add(...ids))).status, 204);
  for (let times = 0; times < 2; times += 1) {
    const { status, headers, body } = await client.ask(`GET /Groups/${group}`);
    assert.deepEqual([status, headers.get('connection')], [200, 'close']);
    assert.equal(body.members.length, ids.length);
  }
  const { headers } = await client.ask(`GET /Groups/${group}?excludedAttributes=members`);
  assert.equal(headers.get('connection'), 'keep-alive');
});

test('a group with a role, of its own or by a group around it, is not changed by SCIM, nor are its members', async (t) => {
  const client = await startScim(t);
  const { ask, service } = client;
  const [user = '', ruler = ''] = await addUsers(client, 2);
  await service.store.write(async ({ groups }) => {
    const outer = await groups.add(newGroup('rulers', { role: 'administrator' }));
    const inner = await groups.add(newGroup('inner'));
    await groups.addGroup(outer?.id ?? 0, inner?.id ?? 0);
    for (const group of [outer, inner]) await groups.addUser(group?.id ?? 0, Number(ruler));
  });
  const plain = await addGroup(client, 'Plain');
  for (const name of ['rulers', 'inner']) {
    const { id } = (await ask(`GET /Groups?filter=displayName eq "${name}"`)).body.Resources[0];
    for (const [what, body] of [
      [`PATCH /Groups/${id}`, add(user)],
      [`PATCH /Groups/${id}`, add(plain)],
      [`PATCH /Groups/${id}`, patchOf({ op: 'replace', value: { members: values([user]) } })],
      [`PUT /Groups/${id}`, { displayName: name, members: values([user]) }],
      [`PATCH /Groups/${id}`, patchOf({ op: 'remove', path: 'members' })],
      [`PATCH /Groups/${id}`, patchOf({ op: 'remove', path: `members[value eq "${ruler}"]` })],
      [`PATCH /Groups/${id}`, patchOf({ op: 'replace', path: 'displayName', value: 'Other' })],
      [`PUT /Groups/${id}`, { displayName: name, members: [] }],
      [`DELETE /Groups/${id}`, undefined],
    ] as const) {
      const { status, body: answer } = await ask(what, body);
      assert.equal(status, 403, `${name} ${JSON.stringify(body)}`);
      assert.match(answer.detail, /SCIM changes no group whose members have a role/);
    }
  }
  await ask(`PATCH /Groups/${plain}`, add(user, ruler));
  assert.equal(await service.store.read((unit) => unit.roles.of(Number(user))), undefined);
  assert.equal(await service.store.read((unit) => unit.roles.of(Number(ruler))), 'administrator');
  for (const [what, body] of [
    [`PATCH /Users/${ruler}`, patchOf({ op: 'replace', path: 'active', value: false })],
    [`PUT /Users/${ruler}`, { userName: 'other', password: 'nine copper bells ring' }],
    [`DELETE /Users/${ruler}`, undefined],
  ] as const) {
    const { status, body: answer } = await ask(what, body);
    assert.equal(status, 403, what);
    assert.match(answer.detail, /SCIM changes no user with a role: "member-1" has a role/);
  }
});

test('groups nest without circles, and their members are shown at the user', async (t) => {
  const client = await startScim(t);
  const { ask } = client;
  const [user = ''] = await addUsers(client, 1);
  const [outer, inner] = [
    await addGroup(client, 'Outer'),
    await addGroup(client, 'Inner', { members: values([user]) }),
  ];
  assert.equal((await ask(`PATCH /Groups/${outer}`, add(inner))).status, 204);
  assert.equal((await ask(`PATCH /Groups/${inner}`, add(outer))).status, 409);
  const { groups } = (await ask(`GET /Users/${user}`)).body;
  assert.deepEqual(
    groups.map((each: { display: string; type: string }) => [each.display, each.type]),
    [
      ['Inner', 'direct'],
      ['Outer', 'indirect'],
    ],
  );
  const members = (await ask(`GET /Groups/${outer}`)).body.members;
  assert.deepEqual(members, [
    { value: inner, $ref: `/scim/v2/Groups/${inner}`, display: 'Inner', type: 'Group' },
  ]);
  const found = (await ask(`GET /Groups?filter=members[value eq "${user}"]&excludedAttributes=members`)).body;
  assert.deepEqual(
    found.Resources.map((each: { id: string }) => each.id),
    [inner],
  );
});

test('a name or an externalId is given once, a renamed group keeps its name for rules, and an old id finds no other group', async (t) => {
  const client = await startScim(t);
  const { ask, service } = client;
  const first = await addGroup(client, 'Alpha: 1', { externalId: 'a' });
  assert.equal((await ask('POST /Groups', { displayName: 'ALPHA: 1' })).body.scimType, 'uniqueness');
  assert.equal(
    (await ask('POST /Groups', { displayName: 'Other', externalId: 'a' })).body.scimType,
    'uniqueness',
  );
  assert.equal((await ask('POST /Groups', { displayName: 'EVERYONE' })).status, 400);
  await ask(`PATCH /Groups/${first}`, patchOf({ op: 'replace', path: 'displayName', value: 'Beta' }));
  const second = await addGroup(client, 'Alpha: 1');
  const names = await service.store.read(({ groups }) => groups.page('', undefined, 10));
  assert.deepEqual(
    names.map(({ name, displayName }) => [name, displayName]),
    [
      ['Alpha- 1', 'Beta'],
      ['Alpha- 1-2', 'Alpha: 1'],
    ],
  );
  assert.equal((await ask('GET /Groups')).body.totalResults, 2);
  assert.equal((await ask(`DELETE /Groups/${second}`)).status, 204);
  const third = await addGroup(client, 'Gamma');
  assert.equal((await ask(`GET /Groups/${second}`)).status, 404);
  assert.equal((await ask(`DELETE /Groups/${second}`)).status, 404);
  assert.equal((await ask(`GET /Groups/${third}`)).body.displayName, 'Gamma');
  const unknown = await ask(`PATCH /Groups/${third}`, add('999'));
  assert.deepEqual([unknown.status, unknown.body.scimType], [400, 'invalidValue']);
});

test('a faulty change of a group changes nothing, and says what is wrong by its scimType', async (t) => {
  const client = await startScim(t);
  const { ask } = client;
  const [user = ''] = await addUsers(client, 1);
  const id = await addGroup(client, 'Staff', { externalId: 'e-1', members: values([user]) });
  const before = (await ask(`GET /Groups/${id}`)).body;
  const half = { op: 'replace', path: 'displayName', value: 'Changed' };
  for (const [body, scimType] of [
    [{ Operations: [] }, 'invalidSyntax'],
    [patchOf(half, { op: 'replace', path: 'id', value: '1-00000000' }), 'mutability'],
    [patchOf(half, { op: 'replace', value: { id: '1-00000000' } }), 'mutability'],
    [patchOf(half, { op: 'remove', path: 'displayName' }), 'mutability'],
    [patchOf(half, { op: 'replace', path: 'displayName', value: 7 }), 'invalidValue'],
    [patchOf(half, { op: 'replace', path: 'externalId', value: {} }), 'invalidValue'],
    [patchOf(half, { op: 'add', path: 'members', value: [{ value: Number(user) }] }), 'invalidValue'],
    [patchOf(half, { op: 'remove', path: 'members', value: [7] }), 'invalidValue'],
    [patchOf(half, { op: 'add', path: 'members' }), 'invalidValue'],
  ] as const) {
    const answer = await ask(`PATCH /Groups/${id}`, body);
    assert.deepEqual([answer.status, answer.body.scimType], [400, scimType], JSON.stringify(body));
  }
  assert.deepEqual((await ask(`GET /Groups/${id}`)).body, before);
});

test('If-Match holds a change of a group back if the group or its members have changed', async (t) => {
  const client = await startScim(t);
  const { ask, service } = client;
  const [user = ''] = await addUsers(client, 1);
  const id = await addGroup(client, 'Staff');
  const key = { authorization: `Bearer ${await service.addApiKey('scim')}` };
  const tagOf = async (query = '') => {
    const { headers } = await ask(`GET /Groups/${id}${query}`);
    return { ...key, 'if-match': headers.get('etag') ?? assert.fail('no ETag') };
  };
  const [tag, short] = [await tagOf(), await tagOf('?excludedAttributes=members')];
  assert.equal((await ask(`PATCH /Groups/${id}`, add(user), short)).status, 204);
  for (const [what, body] of [
    [`PATCH /Groups/${id}`, patchOf({ op: 'remove', path: 'members' })],
    [`PUT /Groups/${id}`, { displayName: 'Other' }],
    [`DELETE /Groups/${id}`, undefined],
  ] as const)
    for (const stale of [tag, short]) assert.equal((await ask(what, body, stale)).status, 412, what);
  assert.deepEqual(await membersOf(client, id), [user]);
  assert.equal((await ask(`DELETE /Groups/${id}`, undefined, await tagOf())).status, 204);
});
