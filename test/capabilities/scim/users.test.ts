import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { patchOf, type ScimClient, startScim } from './scim.ts';

const validates = async ({ service }: ScimClient, ticket: string) =>
  (await fetch(`${service.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`)).status;

/** The kinds, users and reasons of the events that an API key caused. */
async function eventsByKey({ service }: ScimClient) {
  const events = await service.store.read((unit) => unit.events.list({}));
  return events
    .filter(({ actor }) => actor?.startsWith('key:'))
    .map(({ kind, user, reason }) => [kind, user, reason]);
}

async function addUser({ ask }: ScimClient, userName: string, more: object = {}): Promise<string> {
  const { status, body } = await ask('POST /Users', { userName, ...more });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

for (const [form, patch] of [
  ['a boolean', patchOf({ op: 'replace', path: 'active', value: false })],
  ['a text', patchOf({ op: 'Replace', path: 'active', value: 'False' })],
  ['a value without a path', patchOf({ op: 'replace', value: { active: 'false' } })],
] as const)
  test(`active: false as ${form} ends all tickets for the very next request, in one write`, async (t) => {
    const client = await startScim(t);
    const { ask, service } = client;
    const id = await addUser(client, 'carol', { password: PASSWORD });
    const tickets = [await logIn(service.url, 'carol'), await logIn(service.url, 'carol')];
    for (const ticket of tickets) assert.equal(await validates(client, ticket), 200);
    const { body } = await ask(`PATCH /Users/${id}`, patch);
    assert.equal(body.active, false);
    for (const ticket of tickets) assert.equal(await validates(client, ticket), 401);
    await assert.rejects(logIn(service.url, 'carol'), /Login failed/);
    await ask(`PATCH /Users/${id}`, patchOf({ op: 'replace', path: 'active', value: true }));
    for (const ticket of tickets) assert.equal(await validates(client, ticket), 401);
    await logIn(service.url, 'carol');
    assert.deepEqual(await eventsByKey(client), [
      ['user-added', 'carol', undefined],
      ['user-disabled', 'carol', undefined],
      ['user-enabled', 'carol', undefined],
    ]);
  });

test('a user without a password cannot log in until it gets one', async (t) => {
  const client = await startScim(t);
  const { ask, service } = client;
  const id = await addUser(client, 'dora');
  for (const password of ['', 'x', PASSWORD])
    await assert.rejects(logIn(service.url, 'dora', password), /Login failed|Password not specified/);
  const user = await service.store.read((unit) => unit.users.find(Number(id)));
  assert.match(user?.passwordHash ?? '', /^\$argon2id\$v=19\$m=8,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  await ask(`PATCH /Users/${id}`, patchOf({ op: 'add', path: 'password', value: PASSWORD }));
  const ticket = await logIn(service.url, 'dora');
  await ask(`PUT /Users/${id}`, { userName: 'dora', password: 'nine copper bells ring' });
  assert.equal(await validates(client, ticket), 401);
  const weak = await ask(`PUT /Users/${id}`, { userName: 'dora', password: 'dora1234' });
  assert.deepEqual([weak.status, weak.body.scimType], [400, 'invalidValue']);
  assert.ok(!JSON.stringify([weak.body, service.lines]).includes('dora1234'));
});

test('a user with a role of its own is not changed by SCIM, and a key never gives a role', async (t) => {
  const client = await startScim(t);
  const { ask, service } = client;
  const admin = (await ask('GET /Users?filter=userName eq "admin"')).body.Resources[0];
  for (const [what, body] of [
    [`PATCH /Users/${admin.id}`, patchOf({ op: 'replace', path: 'active', value: false })],
    [`PUT /Users/${admin.id}`, { userName: 'root', active: false }],
    [`PATCH /Users/${admin.id}`, patchOf({ op: 'add', path: 'password', value: 'nine copper bells ring' })],
    [`PUT /Users/${admin.id}`, { userName: 'admin' }],
    [`DELETE /Users/${admin.id}`, undefined],
  ] as const) {
    const { status, body: answer } = await ask(what, body);
    assert.equal(status, 403, what);
    assert.match(answer.detail, /SCIM changes no user with a role: "admin" has a role/);
  }
  await logIn(service.url);
  assert.equal((await ask(`GET /Users/${admin.id}`)).body.userName, 'admin');
  const id = await addUser(client, 'erin', { roles: [{ value: 'administrator' }], role: 'administrator' });
  assert.equal(await service.store.read((unit) => unit.roles.of(Number(id))), undefined);
  assert.deepEqual(await eventsByKey(client), [['user-added', 'erin', undefined]]);
});

test('a faulty request changes nothing, and says what is wrong by its scimType', async (t) => {
  const client = await startScim(t);
  const { ask } = client;
  const id = await addUser(client, 'fred', { externalId: 'f-1', name: { familyName: 'F' } });
  await addUser(client, 'gina', { externalId: 'g-1' });
  const before = (await ask(`GET /Users/${id}`)).body;
  const half = { op: 'replace', path: 'name.familyName', value: 'Changed' };
  for (const [what, body, status, scimType] of [
    [
      `PATCH /Users/${id}`,
      patchOf(half, { op: 'replace', path: 'userName', value: 'GINA' }),
      409,
      'uniqueness',
    ],
    [
      `PATCH /Users/${id}`,
      patchOf(half, { op: 'replace', path: 'externalId', value: 'g-1' }),
      409,
      'uniqueness',
    ],
    [
      `PATCH /Users/${id}`,
      patchOf(half, { op: 'replace', path: 'active', value: 'no' }),
      400,
      'invalidValue',
    ],
    [
      `PATCH /Users/${id}`,
      patchOf(half, { op: 'replace', path: 'title', value: 'a\u0000' }),
      400,
      'invalidValue',
    ],
    [
      `PATCH /Users/${id}`,
      patchOf(half, { op: 'replace', path: 'emails[type eq', value: 'x' }),
      400,
      'invalidPath',
    ],
    [
      `PATCH /Users/${id}`,
      patchOf(half, { op: 'replace', path: '__proto__.x', value: 'x' }),
      400,
      'invalidPath',
    ],
    [`PATCH /Users/${id}`, patchOf(half, { op: 'remove' }), 400, 'noTarget'],
    [`PATCH /Users/${id}`, patchOf(half, { op: 'move', path: 'title' }), 400, 'invalidValue'],
    [`PATCH /Users/${id}`, { Operations: 7 }, 400, 'invalidSyntax'],
    [`PATCH /Users/${id}`, { Operations: [] }, 400, 'invalidSyntax'],
    [`PATCH /Users/${id}`, patchOf(half, { op: 'replace', path: 'id', value: '7' }), 400, 'mutability'],
    [`PATCH /Users/${id}`, patchOf(half, { op: 'remove', path: 'id' }), 400, 'mutability'],
    [`PATCH /Users/${id}`, patchOf(half, { op: 'add', value: { id: '7' } }), 400, 'mutability'],
    [
      `PATCH /Users/${id}`,
      patchOf(half, { op: 'replace', path: 'meta.location', value: 'x' }),
      400,
      'mutability',
    ],
    [
      `PATCH /Users/${id}`,
      patchOf(half, { op: 'add', path: 'groups', value: [{ value: '1' }] }),
      400,
      'mutability',
    ],
    [`PATCH /Users/${id}`, patchOf(half, { op: 'remove', path: 'userName' }), 400, 'mutability'],
    [
      `PATCH /Users/${id}`,
      patchOf(half, { op: 'replace', path: 'userName', value: null }),
      400,
      'mutability',
    ],
    [`PATCH /Users/${id}`, patchOf(half, { op: 'add', path: 'title' }), 400, 'invalidValue'],
    [`PATCH /Users/${id}`, patchOf(half, { op: 'replace', path: 7, value: 'x' }), 400, 'invalidPath'],
    [`PATCH /Users/${id}`, patchOf(half, { op: 'replace', path: 'userName', value: 7 }), 400, 'invalidValue'],
    [
      `PATCH /Users/${id}`,
      patchOf(half, { op: 'replace', path: 'name', value: 'Nora' }),
      400,
      'invalidValue',
    ],
    [
      `PATCH /Users/${id}`,
      patchOf(half, { op: 'replace', path: 'emails', value: 'a@b' }),
      400,
      'invalidValue',
    ],
    [`PUT /Users/${id}`, { userName: ['fred'] }, 400, 'invalidValue'],
    [`PUT /Users/${id}`, { userName: 'fred', active: ['true'] }, 400, 'invalidValue'],
    [`PUT /Users/${id}`, { userName: 'fred', name: 'Fred' }, 400, 'invalidValue'],
    [`PUT /Users/${id}`, { userName: 'fred', emails: [{ value: 7 }] }, 400, 'invalidValue'],
    [`PUT /Users/${id}`, { userName: 'fred', phoneNumbers: ['1'] }, 400, 'invalidValue'],
    ['POST /Users', { userName: 7 }, 400, 'invalidValue'],
    [`PATCH /Users/${id}`, '{"Operations": [', 400, 'invalidSyntax'],
    ['POST /Users', { userName: 'hans', externalId: 'g-1' }, 409, 'uniqueness'],
    ['POST /Users', { userName: 'a:b' }, 400, 'invalidValue'],
    ['POST /Users', { userName: '..' }, 400, 'invalidValue'],
    ['POST /Users', { userName: 'ａｄｍｉｎ' }, 400, 'invalidValue'],
    ['POST /Users', { externalId: 'x' }, 400, 'invalidValue'],
    ['POST /Users', '[]', 400, 'invalidSyntax'],
    ['GET /Users?filter=userName xx "a"', undefined, 400, 'invalidFilter'],
    ['GET /Users?filter=(userName eq "a"', undefined, 400, 'invalidFilter'],
    ['GET /Users?startIndex=x', undefined, 400, 'invalidValue'],
    ['GET /Users/999', undefined, 404, undefined],
    ['PUT /Users/abc', { userName: 'x' }, 404, undefined],
  ] as const) {
    const { status: got, body: answer } = await ask(what, body);
    assert.deepEqual([got, answer.scimType], [status, scimType], `${what} ${JSON.stringify(body)}`);
    assert.equal(answer.status, String(status));
  }
  assert.deepEqual((await ask(`GET /Users/${id}`)).body, before);
  const same = await ask(`PATCH /Users/${id}`, patchOf({ op: 'replace', value: { id } }));
  assert.deepEqual([same.status, same.body], [200, before], 'the same id is no change');
  const without = await ask(`PATCH /Users/${id}`, patchOf({ op: 'remove', path: 'externalId' }));
  assert.deepEqual([without.status, without.body.externalId], [200, undefined]);
  assert.equal((await ask('GET /Users')).body.totalResults, 3);
});

test('If-Match holds a change back if the user has changed, and an unchanged user is not sent again', async (t) => {
  const client = await startScim(t);
  const { ask, service } = client;
  const id = await addUser(client, 'ida');
  const key = { authorization: `Bearer ${await service.addApiKey('scim')}` };
  const tag = (await ask(`GET /Users/${id}?attributes=userName`)).headers.get('etag') ?? '';
  const patch = (title: string) =>
    ask(`PATCH /Users/${id}`, patchOf({ op: 'add', path: 'title', value: title }), {
      ...key,
      'if-match': tag,
    });
  assert.equal((await patch('first')).status, 200);
  assert.equal((await patch('second')).status, 412);
  const { body, headers } = await ask(`GET /Users/${id}`);
  assert.equal(body.title, 'first');
  const again = await ask(`GET /Users/${id}`, undefined, {
    ...key,
    'if-none-match': headers.get('etag') ?? '',
  });
  assert.equal(again.status, 304);
});

test('users are found by filters, and listed by pages that meet each one once', async (t) => {
  const client = await startScim(t);
  const { ask } = client;
  for (const [n, given] of ['Ann', 'Bo', 'Cyd'].entries())
    await addUser(client, `user-${n}`, {
      ...{ name: { givenName: given, familyName: 'Müller' }, title: `T${n}`, externalId: `x-${n}` },
      ...{ emails: [{ value: `${given}@Example.org`, type: 'work' }], active: n !== 1 },
    });
  const found = async (filter: string) => {
    const { status, body } = await ask(`GET /Users?filter=${encodeURIComponent(filter)}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.Resources.map((each: { userName: string }) => each.userName).join(' ');
  };
  for (const [filter, names] of [
    ['userName sw "USER-"', 'user-0 user-1 user-2'],
    ['userName co "ser-1"', 'user-1'],
    ['externalId eq "x-2"', 'user-2'],
    ['externalId eq "X-2"', ''],
    ['emails.value eq "bo@example.org"', 'user-1'],
    ['emails[type eq "work" and value co "@example.org"] and active eq true', 'user-0 user-2'],
    ['active eq false', 'user-1'],
    ['active eq "False" or title eq "t2"', 'user-1 user-2'],
    ['not (name.familyName eq "müller")', 'admin'],
    ['name.familyName pr and (title ge "T1")', 'user-1 user-2'],
    ['displayName ew "Müller" and name.givenName ne "Ann"', 'user-1 user-2'],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "user-0"', 'user-0'],
    ['userName eq "user-0" or userName eq "user-2"', 'user-0 user-2'],
    ['nickName pr', ''],
  ] as const)
    assert.equal(await found(filter), names, filter);
  const met: string[] = [];
  for (let startIndex = 1; startIndex <= 4; startIndex += 3) {
    const { body } = await ask(`GET /Users?startIndex=${startIndex}&count=3&attributes=userName`);
    assert.equal(body.totalResults, 4);
    met.push(...body.Resources.map((each: { userName: string }) => each.userName));
    for (const each of body.Resources)
      assert.deepEqual(Object.keys(each).sort(), ['id', 'schemas', 'userName']);
  }
  assert.deepEqual(met, ['admin', 'user-0', 'user-1', 'user-2']);
  const none = (await ask('GET /Users?count=0&startIndex=-4')).body;
  assert.deepEqual([none.totalResults, none.startIndex, none.Resources], [4, 1, []]);
});

test('the first page of all users counts them, and the pages of the next ten seconds tell that total', async (t) => {
  const client = await startScim(t);
  client.service.stopClock();
  const totalOf = async (startIndex: number) =>
    (await client.ask(`GET /Users?startIndex=${startIndex}`)).body.totalResults;
  assert.equal(await totalOf(1), 1);
  await addUser(client, 'ada');
  assert.equal(await totalOf(2), 1);
  assert.equal(await totalOf(1), 2);
  await addUser(client, 'ben');
  assert.equal(await totalOf(2), 2);
  client.service.shiftClock(10_000);
  assert.equal(await totalOf(2), 3);
});

test('a user that was renamed keeps its id and its tickets, and a removed one is gone with them', async (t) => {
  const client = await startScim(t);
  const { ask, service } = client;
  const id = await addUser(client, 'jan', { password: PASSWORD });
  const ticket = await logIn(service.url, 'jan');
  assert.equal((await ask(`PUT /Users/${id}`, { userName: 'janna' })).body.userName, 'janna');
  assert.equal(await validates(client, ticket), 200);
  await logIn(service.url, 'janna');
  assert.equal((await ask(`DELETE /Users/${id}`)).status, 204);
  assert.equal(await validates(client, ticket), 401);
  assert.notEqual(await addUser(client, 'janet'), id);
  assert.deepEqual(await eventsByKey(client), [
    ['user-added', 'jan', undefined],
    ['user-renamed', 'janna', 'was jan before'],
    ['user-removed', 'janna', undefined],
    ['user-added', 'janet', undefined],
  ]);
});

test('a name that SCIM freed by a rename or a removal goes to no other person for 90 days', async (t) => {
  const client = await startScim(t);
  const { ask, service } = client;
  service.stopClock();
  const id = await addUser(client, 'kim', { externalId: 'k-1' });
  const other = await addUser(client, 'lou', { externalId: 'l-1' });
  const rename = (whose: string, value: string) =>
    ask(`PATCH /Users/${whose}`, patchOf({ op: 'replace', path: 'userName', value }));
  assert.equal((await rename(id, 'kimberly')).status, 200);
  for (const { status, body } of [
    await rename(other, 'KIM'),
    await ask('POST /Users', { userName: 'kim', externalId: 'k-2' }),
    await ask('POST /Users', { userName: 'Kim' }),
  ]) {
    assert.deepEqual([status, body.scimType], [409, 'uniqueness']);
    assert.match(
      body.detail,
      /was the name of another person until lately, and is free from \d{4}-\d\d-\d\d on/,
    );
  }
  assert.equal((await rename(id, 'kim')).status, 200, 'the same user takes its name back');
  assert.equal((await ask(`DELETE /Users/${id}`)).status, 204);
  assert.equal((await rename(other, 'kim')).status, 409);
  const back = await addUser(client, 'kim', { externalId: 'k-1' });
  assert.notEqual(back, id, 'the same person is added again');
  assert.equal((await ask(`DELETE /Users/${back}`)).status, 204);
  service.shiftClock(90 * 86_400_000);
  assert.equal((await rename(other, 'kim')).status, 200);
});
