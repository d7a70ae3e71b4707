import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newUser } from '../../../../src/core/domain/user.ts';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';
import { asked, eventsByKeys } from './asked.ts';

const HARD = 'four quiet rivers meeting';

const sent = (method: string, body: unknown): RequestInit => ({ method, body: JSON.stringify(body) });

async function isLive({ url }: TestService, ticket: string): Promise<boolean> {
  return (await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`)).status === 200;
}

async function told(service: TestService): Promise<readonly (readonly unknown[])[]> {
  return (await eventsByKeys(service)).map(({ kind, user, reason }) => [kind, user, reason]);
}

test('a user is added with profile and role, logs in, and is shown with them', async (t) => {
  const service = await startTestService(t);
  const added = {
    userName: 'Dora',
    password: HARD,
    role: 'auditor',
    firstName: 'Dora',
    email: 'dora@example.org',
  };
  const { status, body } = await asked(service, '/users', sent('POST', added));
  assert.equal(status, 201);
  assert.equal(body.displayName, 'Dora');
  await logIn(service.url, 'dora', HARD);
  const shown = await asked(service, '/users/DORA');
  assert.deepEqual(shown.body, body);
  assert.deepEqual(body, {
    ...{ userName: 'Dora', displayName: 'Dora', state: 'active', administrator: false, hasPassword: true },
    ...{
      mustChangePassword: true,
      profile: { firstName: 'Dora', email: 'dora@example.org' },
      ownRole: 'auditor',
      role: 'auditor',
      groups: [],
      appPasswords: 0,
      hasSecondFactor: false,
    },
  });
  assert.deepEqual(await told(service), [['user-added', 'Dora', 'auditor']]);
});

test('a new user is refused with a sentence that says what is wrong and what to do', async (t) => {
  const service = await startTestService(t);
  await service.addUser('carol');
  const refused: [object, number, string, RegExp][] = [
    [
      { userName: 'CAROL' },
      409,
      'name_taken',
      /"carol" already, and names that differ by case only are the same: choose/,
    ],
    [{ userName: 'a:b' }, 400, 'body_invalid', /no colon/],
    [
      { userName: 'x', email: 'a\u0007b' },
      400,
      'body_invalid',
      /email has a control character: give one line/,
    ],
    [
      { userName: 'x', email: 'é'.repeat(513) },
      400,
      'body_invalid',
      /email has 1026 bytes: give at most 1024/,
    ],
    [
      { userName: 'x', mustChangePassword: true },
      409,
      'password_needed',
      /has none to change: give a password/,
    ],
    [{ userName: 'x', role: 'operator' }, 409, 'password_needed', /give a password, or leave out the role/],
    [{ userName: 'x', role: 'god' }, 400, 'body_invalid', /role is one of auditor, operator, administrator/],
    [{ userName: 'x', password: 'password12345678' }, 400, 'new_password_refused', /choose/],
  ];
  for (const [sentBody, status, code, why] of refused) {
    const answer = await asked(service, '/users', sent('POST', sentBody));
    assert.equal(answer.status, status, JSON.stringify(sentBody));
    assert.equal(answer.body.code, code);
    assert.match(answer.body.detail, why);
  }
  assert.deepEqual(await told(service), []);
});

test('users are listed by name in pages, and searched by the beginning and by any part', async (t) => {
  const service = await startTestService(t);
  for (const name of ['anna', 'Annika', 'joanna', 'zoe']) await service.addUser(name);
  await asked(service, '/users/zoe', sent('PATCH', { lastName: 'Hannover' }));
  const names = async (query: string) => {
    const { body } = await asked(service, `/users?${query}`, {}, 'operator');
    return body.items.map(({ userName }: { userName: string }) => userName);
  };
  assert.deepEqual(await names(''), ['admin', 'anna', 'Annika', 'joanna', 'zoe']);
  assert.deepEqual(await names('prefix=ANN'), ['anna', 'Annika']);
  assert.deepEqual(await names('search=ANN'), ['anna', 'Annika', 'joanna', 'zoe']);
  assert.deepEqual(await names('search=hannover'), ['zoe']);
  assert.deepEqual(await names('administrators=true'), ['admin']);
  assert.deepEqual(await names('disabled=true'), []);
  const first = (await asked(service, '/users?search=ann&limit=3')).body;
  const second = (await asked(service, `/users?search=ann&limit=3&cursor=${first.next}`)).body;
  assert.deepEqual([first.items.length, second.items.length, second.next], [3, 1, undefined]);
  for (const [query, why] of [
    ['search=an', /three|3 characters or more; prefix takes fewer/],
    ['search=ann&prefix=a', /not both/],
    ['locked=yes', /locked/],
  ] as const) {
    const { status, body } = await asked(service, `/users?${query}`);
    assert.equal(status, 400);
    assert.match(body.detail, why);
  }
  const other = await asked(service, `/users?cursor=${first.next}`);
  assert.deepEqual([other.status, other.body.code], [400, 'cursor_invalid']);
});

test('users are sorted by name or last sign-in, kept by what they lack, and counted', async (t) => {
  const service = await startTestService(t);
  for (const name of ['anna', 'Annika', 'joanna']) await service.addUser(name);
  await logIn(service.url, 'Annika', PASSWORD);
  const listed = async (query: string) =>
    (await asked(service, `/users?search=ann&${query}`, {}, 'operator')).body;
  const names = async (query: string) =>
    (await listed(query)).items.map(({ userName }: { userName: string }) => userName);
  assert.deepEqual(await names('sort=-userName'), ['joanna', 'Annika', 'anna']);
  assert.deepEqual(await names('sort=lastSignIn'), ['anna', 'joanna', 'Annika']);
  assert.deepEqual(await names('sort=-lastSignIn'), ['Annika', 'joanna', 'anna']);
  assert.deepEqual(await names('neverSignedIn=true&sort=userName'), ['anna', 'joanna']);
  assert.deepEqual(await names('withoutSecondFactor=true&limit=1'), ['anna']);
  const first = await listed('sort=-lastSignIn&limit=1&total=true');
  assert.deepEqual(first.total, { count: 3, isExact: true });
  assert.ok(Math.abs(Date.parse(first.items[0].lastSignIn) - Date.now()) < 3_600_000);
  assert.equal((await listed('neverSignedIn=true')).items[0].lastSignIn, undefined);
  assert.deepEqual(await names(`sort=-lastSignIn&cursor=${first.next}`), ['joanna', 'anna']);
  const other = await asked(service, `/users?search=ann&sort=lastSignIn&cursor=${first.next}`);
  assert.deepEqual([other.status, other.body.code], [400, 'cursor_invalid']);
  assert.deepEqual((await asked(service, '/groups?total=true')).body.total, { count: 0, isExact: true });
});

test('disabling ends the tickets for good, locking suspends them, and each says since when', async (t) => {
  const service = await startTestService(t);
  service.stopClock();
  await service.addUser('carol');
  const change = (body: object) => asked(service, '/users/carol', sent('PATCH', body));
  const shown = async () => {
    const { body } = await asked(service, '/users/carol');
    return [body.state, Number.isNaN(Date.parse(body.since))];
  };
  const ticket = await logIn(service.url, 'carol');
  await change({ locked: true });
  assert.deepEqual([await isLive(service, ticket), ...(await shown())], [false, 'locked', false]);
  await change({ locked: false });
  assert.deepEqual([await isLive(service, ticket), ...(await shown())], [true, 'active', true]);
  await change({ disabled: true });
  assert.deepEqual([await isLive(service, ticket), ...(await shown())], [false, 'disabled', false]);
  await change({ disabled: false });
  assert.deepEqual([await isLive(service, ticket), ...(await shown())], [false, 'active', true]);
  const kinds = (await told(service)).map(([kind]) => kind);
  assert.deepEqual(kinds, ['lock', 'unlock', 'user-disabled', 'user-enabled']);
});

test('a change is made whole or not at all', async (t) => {
  const service = await startTestService(t);
  await service.addUser('carol');
  const body = { role: 'auditor', disabled: true, email: 'a\u0000b' };
  assert.equal((await asked(service, '/users/carol', sent('PATCH', body))).status, 400);
  const guest = { firstName: 'G', role: 'auditor' };
  await service.addUser('guest', { password: undefined });
  assert.equal((await asked(service, '/users/guest', sent('PATCH', guest))).status, 409);
  const carol = (await asked(service, '/users/carol')).body;
  assert.deepEqual([carol.state, carol.role], ['active', undefined]);
  assert.deepEqual((await asked(service, '/users/guest')).body.profile, {});
  assert.deepEqual(await told(service), []);
});

test('the last administrator cannot be removed, disabled, locked or demoted, but the last but one can', async (t) => {
  const service = await startTestService(t);
  const tries: RequestInit[] = [
    { method: 'DELETE' },
    sent('PATCH', { disabled: true }),
    sent('PATCH', { locked: true }),
    sent('PATCH', { role: 'none' }),
  ];
  for (const init of tries) {
    const { status, body } = await asked(service, '/users/admin', init);
    assert.deepEqual([status, body.code], [409, 'last_administrator']);
    assert.match(body.detail, /make another user an administrator first/);
  }
  const ticket = await logIn(service.url);
  assert.ok(await isLive(service, ticket));
  await service.addUser('second', { administrator: true });
  assert.equal((await asked(service, '/users/admin', { method: 'DELETE' })).status, 204);
  assert.equal((await asked(service, '/users/admin')).status, 404);
  assert.ok(!(await isLive(service, ticket)));
});

test('a new password is set by its rules, and the tickets of the user end', async (t) => {
  const service = await startTestService(t);
  await service.addUser('carol');
  const ticket = await logIn(service.url, 'carol');
  const refused = await asked(service, '/users/carol/password', sent('PUT', { password: 'carol' }));
  assert.deepEqual([refused.status, refused.body.code], [400, 'new_password_refused']);
  assert.ok(await isLive(service, ticket));
  assert.equal((await asked(service, '/users/carol/password', sent('PUT', { password: HARD }))).status, 204);
  assert.ok(!(await isLive(service, ticket)));
  await logIn(service.url, 'carol', HARD);
  await assert.rejects(logIn(service.url, 'carol', PASSWORD));
});

test('a user has to change a password that an administrator set, unless the administrator says otherwise or set the own one', async (t) => {
  const service = await startTestService(t);
  const mustChange = async (name: string) => (await asked(service, `/users/${name}`)).body.mustChangePassword;
  const add = (userName: string, more: object) =>
    asked(service, '/users', sent('POST', { userName, ...more }));
  await add('ann', { password: HARD });
  await add('bot', { password: HARD, mustChangePassword: false });
  await add('guest', {});
  assert.deepEqual(
    [await mustChange('ann'), await mustChange('bot'), await mustChange('guest')],
    [true, false, false],
  );
  const set = (name: string, more: object = {}) =>
    asked(service, `/users/${name}/password`, sent('PUT', { password: HARD, ...more }));
  await set('bot');
  assert.equal(await mustChange('bot'), true);
  await set('bot', { mustChangePassword: false });
  assert.equal(await mustChange('bot'), false);
  await logIn(service.url, 'ann', HARD);
  const own = await ask(`${service.url}/api/admin/users/admin/password`, {
    ...sent('PUT', { password: HARD }),
    headers: { authorization: `Bearer ${await logIn(service.url)}` },
  });
  assert.deepEqual([own.status, await mustChange('admin')], [204, false]);
});

test('a new password is required and waived, each with its event, and tickets and logins of programs go on', async (t) => {
  const service = await startTestService(t);
  await service.addUser('carol');
  await service.addUser('guest', { password: undefined });
  const ticket = await logIn(service.url, 'carol');
  const require = (name: string, mustChangePassword: boolean) =>
    asked(service, `/users/${name}`, sent('PATCH', { mustChangePassword }));
  const etag = (await asked(service, '/users/carol')).headers.get('etag');
  for (const required of [true, true, false]) {
    assert.equal((await require('carol', required)).status, 204);
    assert.equal((await asked(service, '/users/carol')).body.mustChangePassword, required);
    assert.ok(await isLive(service, ticket));
    await logIn(service.url, 'carol');
  }
  assert.equal((await asked(service, '/users/carol')).headers.get('etag'), etag);
  const guest = await require('guest', true);
  assert.deepEqual([guest.status, guest.body.code], [409, 'password_needed']);
  assert.match(guest.body.detail, /has none to change: give it a password first/);
  assert.deepEqual(await told(service), [
    ['new-password-required', 'carol', undefined],
    ['new-password-waived', 'carol', undefined],
  ]);
});

test('tickets are listed by their digests, never themselves, and ended one by one or all at once', async (t) => {
  const service = await startTestService(t);
  await service.addUser('carol');
  const tickets = [
    await logIn(service.url, 'carol'),
    await logIn(service.url, 'carol'),
    await logIn(service.url, 'carol'),
  ];
  const list = async () => (await asked(service, '/users/carol/tickets?limit=2', {}, 'auditor')).body;
  const { items, next } = await list();
  assert.equal(items.length, 2);
  assert.ok(!JSON.stringify(items).includes('TICKET_'));
  assert.equal((await asked(service, `/users/carol/tickets?cursor=${next}`)).body.items.length, 1);
  const [{ digest, state }] = items;
  assert.match(digest, /^[0-9a-f]{8}$/);
  assert.equal(state, 'valid');
  const end = (path: string) => asked(service, path, { method: 'DELETE' }, 'operator');
  assert.equal((await end(`/users/carol/tickets/${digest}`)).status, 204);
  assert.equal((await end(`/users/carol/tickets/${digest}`)).status, 404);
  const live = await Promise.all(tickets.map((ticket) => isLive(service, ticket)));
  assert.equal(live.filter(Boolean).length, 2);
  const of = await logIn(service.url);
  assert.equal((await end('/users/carol/tickets')).status, 204);
  for (const ticket of tickets) assert.ok(!(await isLive(service, ticket)));
  assert.ok(await isLive(service, of));
  assert.equal((await end('/tickets')).status, 204);
  assert.ok(!(await isLive(service, of)));
});

test('an old ETag is refused, and the one that the user has now is not', async (t) => {
  const service = await startTestService(t);
  await service.addUser('carol');
  const etag = (await asked(service, '/users/carol')).headers.get('etag') ?? '';
  const change = (email: string) =>
    asked(service, '/users/carol', { ...sent('PATCH', { email }), headers: { 'if-match': etag } });
  assert.equal((await change('a@example.org')).status, 204);
  const old = await change('b@example.org');
  assert.deepEqual([old.status, old.body.code], [412, 'changed_meanwhile']);
  assert.equal((await asked(service, '/users/carol')).body.profile.email, 'a@example.org');
});

test('a user whom an administrator disabled stays so, even if its provider had disabled it before and enables it', async (t) => {
  const service = await startTestService(t);
  const person = { provider: 'ldap', subject: 's-carol', groups: [], checkedAt: 0 };
  const local = newUser('carol', { namesCaseSensitive: false, passwordHash: undefined, provider: 'ldap' });
  const id = await service.store.write(async ({ externalIdentities, users }) => {
    const added = await users.add({ ...local, disabled: true });
    assert.ok(added);
    await externalIdentities.put({ ...person, userId: added.id, disabledThere: true });
    return added.id;
  });
  const disabledThereAfter = async (change: object) => {
    assert.equal((await asked(service, '/users/carol', sent('PATCH', change))).status, 204);
    return (await service.store.read((unit) => unit.externalIdentities.ofUser(id)))?.disabledThere;
  };
  assert.equal(
    await disabledThereAfter({ firstName: 'C' }),
    true,
    'another change leaves it to the provider',
  );
  assert.equal(await disabledThereAfter({ disabled: true }), false);
  assert.equal((await asked(service, '/users/carol')).body.state, 'disabled');
});
