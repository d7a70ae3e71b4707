import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newGroup } from '../../../../src/core/domain/group.ts';
import { BEHIND_PROXY, fail, tryBy } from '../../../core/identity/on-the-wire/trying.ts';
import { PASSWORD } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';
import { until } from '../../../service/until.ts';
import { differences, inTheShadow, userOf } from './in-the-shadow.ts';
import { answer } from './old-server.ts';

test('throttle and lock come first: the old server is not asked about a name that waits', async (t) => {
  const { old, service } = await inTheShadow(t, { TESSERA_THROTTLE_AFTER: '3' });
  service.stopClock();
  old.users.set('ann', { password: 'old password' });
  await fail(8, service.url, 'ann');
  assert.equal(old.logins.length, 3);
  assert.equal((await tryBy('post', service.url, 'ann', 'old password')).status, 403);
  assert.equal(old.logins.length, 3);
  assert.equal(await userOf(service, 'ann'), undefined);
  const locked = await inTheShadow(t, { TESSERA_LOCKOUT_THRESHOLD: '2' });
  await fail(6, locked.service.url, 'bob');
  assert.equal(locked.old.logins.length, 2);
});

test('an old server that does not answer is a fault and not a refusal: 503, for known and unknown names', async (t) => {
  const { old, service } = await inTheShadow(t);
  await service.addUser('ann');
  for (const instead of [
    (_request: unknown, response: Parameters<typeof answer>[0]) => answer(response, 500, {}),
    (_request: unknown, response: Parameters<typeof answer>[0]) => answer(response, 404, {}),
    (_request: unknown, response: Parameters<typeof answer>[0]) => answer(response, 200, { data: {} }),
    (_request: unknown, response: Parameters<typeof answer>[0]) =>
      void response.writeHead(302, { location: '/elsewhere' }).end(),
    (_request: unknown, response: Parameters<typeof answer>[0]) => void response.destroy(),
    (_request: unknown, response: Parameters<typeof answer>[0]) =>
      void response.socket?.end(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      ),
  ]) {
    old.instead = instead;
    const unknown = await tryBy('post', service.url, 'nobody', 'wrong');
    assert.deepEqual([unknown.status, unknown.retryAfter], [503, 5]);
    assert.match(unknown.body, /Passwords cannot be checked now/);
    assert.deepEqual(await tryBy('post', service.url, 'ann', 'wrong'), unknown);
    assert.equal((await tryBy('basic', service.url, 'nobody', 'wrong')).status, 503);
    assert.ok((await tryBy('post', service.url, 'ann', PASSWORD)).letIn);
  }
  assert.ok(differences(service).every(({ ours }) => ours === 403));
});

test('an answer of the old server is read up to 1 MiB, and a longer one is a fault', async (t) => {
  const { old, service } = await inTheShadow(t);
  const person = { userName: 'ann', capabilities: { isAdmin: false, isGuest: false } };
  const both = JSON.stringify({ ...person, data: { ticket: 'TICKET_of_ann' } });
  let length = 1_048_577;
  old.instead = (_request, response) => void response.writeHead(200).end(both.padEnd(length));
  assert.equal((await tryBy('post', service.url, 'ann', 'old password')).status, 503);
  assert.match(differences(service)[0]?.came ?? '', /longer than 1024 KiB/);
  length = 1_048_576;
  assert.ok((await tryBy('post', service.url, 'ann', 'old password')).letIn);
});

test('the deadline ends the wait for a slow old server, and known users log in meanwhile', async (t) => {
  const { old, service } = await inTheShadow(t, { TESSERA_SHADOW_DEADLINE: 'PT0.2S' });
  const hold = Promise.withResolvers<void>();
  t.after(() => hold.resolve());
  old.before = () => hold.promise;
  const unknown = tryBy('post', service.url, 'nobody', 'wrong');
  await logIn(service.url);
  assert.equal((await unknown).status, 503);
});

test('attempts without an answer are counted, so that an old server that is down does not lift the throttle', async (t) => {
  const { old, service } = await inTheShadow(t, { TESSERA_THROTTLE_AFTER: '3' });
  service.stopClock();
  old.instead = (_request, response) => answer(response, 500, {});
  const statuses: number[] = [];
  for (let time = 0; time < 5; time += 1)
    statuses.push((await tryBy('post', service.url, 'nobody', 'x')).status);
  assert.deepEqual(statuses, [503, 503, 503, 403, 403]);
});

test('the old server gets at most eight logins at once, and logins that wait too long are 503', async (t) => {
  const { old, service } = await inTheShadow(t, { TESSERA_SHADOW_DEADLINE: 'PT1S' });
  const hold = Promise.withResolvers<void>();
  old.before = () => hold.promise;
  const names = Array.from({ length: 30 }, (_, index) => `user-${index}`);
  const tries = names.map((name) => tryBy('post', service.url, name, 'wrong'));
  const statuses = await Promise.all(tries).then((all) => all.map(({ status }) => status));
  hold.resolve();
  assert.equal(old.most, 8);
  assert.deepEqual(new Set(statuses), new Set([503]));
});

test('a hundred logins wait for the old server, and further ones are 503 at once', async (t) => {
  const { old, service } = await inTheShadow(t, {
    TESSERA_SHADOW_DEADLINE: 'PT30S',
    TESSERA_HASH_DEADLINE: 'PT30S',
    ...BEHIND_PROXY,
  });
  const hold = Promise.withResolvers<void>();
  old.before = () => hold.promise;
  const statuses: number[] = [];
  const tries = Array.from({ length: 8 + 100 + 2 }, async (_, index) => {
    // Each from a network of its own: one address may have fewer hashes waiting.
    const from = `10.${index}.0.1`;
    statuses.push((await tryBy('post', service.url, `user-${index}`, 'wrong', from)).status);
  });
  try {
    await until('those beyond are answered', () => statuses.length > 1);
  } finally {
    hold.resolve();
    await Promise.all(tries);
  }
  assert.deepEqual(statuses, [503, 503, ...Array(8 + 100).fill(403)]);
});

test('an administrator’s password, right or wrong, is never sent', async (t) => {
  const { old, service } = await inTheShadow(t);
  await logIn(service.url);
  await tryBy('post', service.url, 'admin', 'mistyped');
  await tryBy('post', service.url, 'admin', 'mistyped');
  assert.equal(old.logins.length, 2);
  const [first, second] = old.logins;
  assert.equal(first?.username, 'admin');
  assert.notEqual(first?.password, second?.password);
  assert.ok(!old.logins.some(({ password }) => [PASSWORD, 'mistyped'].includes(password)));
});

test('nor is the password of a user with a role, of itself or by a group', async (t) => {
  const { old, service } = await inTheShadow(t);
  for (const name of ['audrey', 'gus', 'ann']) await service.addUser(name);
  await service.store.write(async ({ users, roles, groups }) => {
    const audrey = (await users.findByKey('audrey')) ?? assert.fail('there is no audrey');
    await roles.give(audrey.id, 'auditor');
    const gus = (await users.findByKey('gus')) ?? assert.fail('there is no gus');
    const chiefs = await groups.add(newGroup('chiefs', { role: 'administrator' }));
    await groups.addUser(chiefs?.id ?? 0, gus.id);
  });
  for (const name of ['audrey', 'gus']) {
    await tryBy('post', service.url, name, 'mistyped');
    await logIn(service.url, name);
  }
  // The comparison of an ordinary user, which begins last, is through.
  await logIn(service.url, 'ann');
  await until('the difference is told', () => differences(service).length > 0);
  const [first, second, ...others] = old.logins;
  assert.deepEqual([first?.username, second?.username], ['audrey', 'gus']);
  assert.ok(![first, second].some((login) => [PASSWORD, 'mistyped'].includes(login?.password ?? '')));
  assert.deepEqual(others, [{ username: 'ann', password: PASSWORD }]);
});

test('names that no user can have, and empty passwords, are not sent', async (t) => {
  const { old, service } = await inTheShadow(t);
  old.users.set('ann', { password: '' });
  for (const [name, password] of [
    ['ann', ''],
    ['ROLE_TICKET', 'x'],
    ['TICKET_x', 'x'],
    ['a:b', 'x'],
    ['a\u0007', 'x'],
  ] as const)
    assert.equal((await tryBy('post', service.url, name, password)).status, 403, name);
  assert.deepEqual(old.logins, []);
});

test('a password that is right here and wrong there is logged, after the answer', async (t) => {
  const { old, service } = await inTheShadow(t);
  await service.addUser('ann');
  await logIn(service.url, 'ann');
  await until('the difference is told', () => differences(service).length > 0);
  assert.deepEqual(differences(service), [
    { user: 'an… (3 characters)', ours: 200, theirs: 403, came: 'known here, decided here' },
  ]);
  assert.deepEqual(old.logins, [{ username: 'ann', password: PASSWORD }]);
});

test('the log contains no password, no name that no user has, and no ticket of the old server', async (t) => {
  const { old, service } = await inTheShadow(t);
  old.users.set('annabel', { password: 'old password', isAdmin: true });
  await tryBy('post', service.url, 'annabel', 'old password');
  await tryBy('post', service.url, 'annabel', 'mistyped');
  old.instead = (_request, response) => answer(response, 500, {});
  await tryBy('post', service.url, 'annabel', 'old password');
  const log = service.lines.join('');
  for (const secret of ['annabel', 'old password', 'mistyped', 'TICKET_of'])
    assert.ok(!log.includes(secret), secret);
});
