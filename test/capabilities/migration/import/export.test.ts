import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newUser, UNTIL_UNLOCKED, type User } from '../../../../src/core/domain/user.ts';
import { hashPassword } from '../../../../src/core/identity/password-hash.ts';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';
import { logIn } from '../../../service/talk.ts';
import { MD4, ndjson, onFolder } from './importing.ts';

const CHEAPEST = { memory: 8, passes: 1, lanes: 1 };

/** Adds users with these properties, by their names. */
async function put(data: string, users: Readonly<Record<string, Partial<User>>>): Promise<void> {
  const store = openSqlite(data);
  await store.write(async (unit) => {
    for (const [name, more] of Object.entries(users)) {
      const plain = newUser(name, { namesCaseSensitive: false, passwordHash: undefined });
      await unit.users.add({ ...plain, ...more });
    }
  });
  await store.close();
}

test('what one store exports another imports, and its users log in with the passwords that they had', async (t) => {
  const [from, to] = [await onFolder(t), await onFolder(t)];
  const hashes = await Promise.all([1, 2, 3].map(() => hashPassword(PASSWORD, CHEAPEST)));
  await put(from.data, {
    ann: { passwordHash: hashes[0] },
    'Zo\u00eb "\u{1F600}"': { passwordHash: hashes[1], disabled: true },
    Root: { passwordHash: hashes[2], administrator: true, generation: 7, mustChangePassword: true },
  });
  const exported = await from.usersCommand('export');
  assert.deepEqual([exported.stderr, exported.code], ['', 0]);
  assert.deepEqual(
    exported.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [
      { name: 'ann', administrator: false, disabled: false, passwordHash: hashes[0] },
      {
        ...{ name: 'Root', administrator: true, disabled: false, passwordHash: hashes[2] },
        mustChangePassword: true,
      },
      { name: 'Zo\u00eb "\u{1F600}"', administrator: false, disabled: true, passwordHash: hashes[1] },
    ],
  );
  const imported = await to.importOf(exported.stdout);
  assert.deepEqual([imported.stdout, imported.stderr, imported.code], ['Added 3 users.\n', '', 0]);
  assert.equal((await to.usersCommand('export')).stdout, exported.stdout);
  const { url } = await startTestService(t, { TESSERA_DATA: to.data }, () => openSqlite(to.data));
  for (const name of ['ann', 'root']) assert.match(await logIn(url, name), /^TICKET_/);
  await assert.rejects(logIn(url, 'ann', 'another-horse-battery'), { name: 'Refused' });
});

test('users that an import makes different are counted: without a readable hash, without a password, locked by hand', async (t) => {
  const { data, importOf, usersCommand } = await onFolder(t);
  await importOf(ndjson({ name: 'ada', ...MD4 }, { name: 'ben', ...MD4, administrator: true }));
  await put(data, { guest: { lockedUntil: UNTIL_UNLOCKED } });
  const { stdout, stderr, code } = await usersCommand('export');
  assert.equal(
    stdout,
    ndjson(
      { name: 'ada', administrator: false, disabled: false },
      { name: 'ben', administrator: true, disabled: false },
      { name: 'guest', administrator: false, disabled: true },
    ),
  );
  assert.match(
    stderr,
    /^2 users without the hash, .*--without-hash.*\n1 user without a password: .*\n1 user without the lock by hand, printed as disabled.*\n$/,
  );
  assert.equal(code, 0);
  const to = await onFolder(t);
  assert.match((await to.importOf(stdout, '--without-hash')).stdout, /^Added 3 users\.\n3 users of these/);
  assert.ok((await to.kept('guest'))?.passwordHash, 'anybody could log in as the guest');
});

test('users whose names an import refuses are counted', async (t) => {
  const { data, usersCommand } = await onFolder(t);
  const passwordHash = await hashPassword(PASSWORD, CHEAPEST);
  await put(data, { ' ann': { passwordHash }, $svc$: { passwordHash }, ben: { passwordHash } });
  const { stdout, stderr } = await usersCommand('export');
  assert.equal(stdout.split('\n').length, 4);
  assert.match(stderr, /^2 users with a name that an import refuses.*\n$/);
});

test('all users are exported, however many there are', async (t) => {
  const { data, usersCommand } = await onFolder(t);
  const names = Array.from({ length: 2_001 }, (_, at) => `user-${at}`);
  await put(data, Object.fromEntries(names.map((name) => [name, {}])));
  const { stdout, stderr } = await usersCommand('export');
  assert.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).name),
    names.sort(),
  );
  assert.match(stderr, /^2001 users without a password/);
});
