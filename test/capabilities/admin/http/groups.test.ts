import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, type TestService } from '../../../service/start.ts';
import { asked, eventsByKeys } from './asked.ts';

const sent = (method: string, body: unknown): RequestInit => ({ method, body: JSON.stringify(body) });
const PUT = { method: 'PUT' };
const DELETE = { method: 'DELETE' };

/** A service with the groups a, b and c, where each contains the next one. */
async function nested(t: Parameters<typeof startTestService>[0]): Promise<TestService> {
  const service = await startTestService(t);
  for (const name of ['a', 'b', 'c']) await asked(service, '/groups', sent('POST', { name }));
  await asked(service, '/groups/a/groups/b', PUT);
  await asked(service, '/groups/b/groups/c', PUT);
  return service;
}

test('groups are added, listed by a prefix, changed and removed, each with its event', async (t) => {
  const service = await startTestService(t);
  for (const name of ['GROUP_Staff', 'Store', 'web'])
    assert.equal((await asked(service, '/groups', sent('POST', { name, displayName: name }))).status, 201);
  const names = async (query = '') =>
    (await asked(service, `/groups${query}`)).body.items.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names(), ['Staff', 'Store', 'web']);
  assert.deepEqual(await names('?prefix=ST'), ['Staff', 'Store']);
  assert.deepEqual(await names('?prefix=GROUP_sta'), ['Staff']);
  await asked(service, '/groups/web', sent('PATCH', { displayName: 'Étoile Web' }));
  assert.deepEqual(await names('?search=TO'), ['Store', 'web']);
  assert.deepEqual(await names('?search=GROUP_aff'), ['Staff']);
  const { body: first } = await asked(service, '/groups?search=to&limit=1');
  assert.deepEqual(
    first.items.map(({ name }: { name: string }) => name),
    ['Store'],
  );
  assert.deepEqual(await names(`?search=to&limit=1&cursor=${first.next}`), ['web']);
  assert.equal((await asked(service, '/groups?search=o&prefix=s')).status, 400);
  const { next } = (await asked(service, '/groups?limit=2')).body;
  assert.deepEqual(await names(`?limit=2&cursor=${next}`), ['web']);
  await asked(service, '/groups/staff', sent('PATCH', { displayName: 'All', role: 'auditor' }));
  assert.deepEqual((await asked(service, '/groups/GROUP_STAFF')).body, {
    ...{ name: 'Staff', displayName: 'All', role: 'auditor', memberOf: [] },
  });
  assert.equal((await asked(service, '/groups/staff', DELETE)).status, 204);
  assert.equal((await asked(service, '/groups/staff')).status, 404);
  const kinds = (await eventsByKeys(service)).map(({ kind }) => kind);
  assert.deepEqual(kinds, [
    ...['group-added', 'group-added', 'group-added', 'group-changed', 'group-changed'],
    'group-removed',
  ]);
});

test('members are groups, then users, in pages that meet each once', async (t) => {
  const service = await nested(t);
  for (const name of ['x', 'y', 'z']) {
    await service.addUser(name);
    assert.equal((await asked(service, `/groups/a/users/${name}`, PUT)).status, 204);
  }
  const met: string[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const { body } = await asked(service, `/groups/a/members?limit=1&cursor=${cursor}`);
    met.push(...body.items.map(({ type, name }: { type: string; name: string }) => `${type} ${name}`));
    cursor = body.next;
  }
  assert.deepEqual(met, ['group b', 'user x', 'user y', 'user z']);
  await asked(service, '/groups/a/users/y', DELETE);
  assert.equal((await asked(service, '/groups/a/members')).body.items.length, 3);
});

test('a user shows the groups that contain it, and has their highest role', async (t) => {
  const service = await nested(t);
  await service.addUser('x');
  await asked(service, '/groups/c/users/x', PUT);
  await asked(service, '/groups/a', sent('PATCH', { role: 'operator' }));
  const { body } = await asked(service, '/users/x');
  assert.deepEqual([body.role, body.ownRole], ['operator', undefined]);
  const shown = body.groups.map(({ name, direct }: { name: string; direct: boolean }) => [name, direct]);
  assert.deepEqual(shown, [
    ['a', false],
    ['b', false],
    ['c', true],
  ]);
});

test('a group that would contain itself is refused with the circle', async (t) => {
  const service = await nested(t);
  for (const [path, circle] of [
    ['/groups/c/groups/a', 'c > a > b > c'],
    ['/groups/a/groups/a', 'a > a'],
  ] as const) {
    const { status, body } = await asked(service, path, PUT);
    assert.deepEqual([status, body.code], [409, 'group_circle']);
    assert.ok(body.detail.includes(circle), body.detail);
  }
});

test('unknown groups, computed ones and names that differ by case only are refused with what to do', async (t) => {
  const service = await nested(t);
  await service.addUser('x');
  for (const [path, init, code, why] of [
    [
      '/groups/nothing/users/x',
      PUT,
      'group_not_found',
      /no group "nothing": list the groups, or add it first/,
    ],
    ['/groups/EVERYONE/users/x', PUT, 'group_not_found', /computed from the users: name another group/],
    ['/groups', sent('POST', { name: 'A' }), 'name_taken', /"a" already, and case never counts/],
    ['/groups', sent('POST', { name: 'GROUP_everyone' }), 'body_invalid', /computed/],
    ['/groups/a', sent('PATCH', { displayName: 'a\u0007' }), 'body_invalid', /control character/],
  ] as const) {
    const { body } = await asked(service, path, init);
    assert.equal(body.code, code);
    assert.match(body.detail, why);
  }
});

test('the last administrator by a group stays one, whatever happens to the groups', async (t) => {
  const service = await nested(t);
  await service.addUser('boss');
  await asked(service, '/groups/a', sent('PATCH', { role: 'administrator' }));
  await asked(service, '/groups/c/users/boss', PUT);
  assert.equal((await asked(service, '/users/admin', DELETE)).status, 204);
  for (const [path, init] of [
    ['/groups/a', sent('PATCH', { role: 'none' })],
    ['/groups/b', DELETE],
    ['/groups/b/groups/c', DELETE],
    ['/groups/c/users/boss', DELETE],
    ['/users/boss', sent('PATCH', { disabled: true })],
  ] as const) {
    const { status, body } = await asked(service, path, init);
    assert.deepEqual([status, body.code], [409, 'last_administrator'], path);
  }
  assert.equal((await asked(service, '/users/boss')).body.role, 'administrator');
});
