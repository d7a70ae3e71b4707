import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { newUser } from '../../../src/core/domain/user.ts';
import { userEntries } from '../../../src/tools/apply/state.ts';
import { MD4 } from '../../capabilities/migration/import/importing.ts';
import { openMemory } from '../../engines/memory/open.ts';
import { openSqlite } from '../../service/stores.ts';
import { applying, digestOf } from './applying.ts';

const HASH = '$argon2id$v=19$m=8,t=1,p=1$i85mRIJ8FUJY66Vgd74jog$L9DYSZOMUo53iKHCQGTx5GD/FvQ566AXZ9FBv9IimI0';

const STATE = {
  groups: [
    { name: 'inner', displayName: 'Inner', role: 'none', groups: ['outer'] },
    { name: 'outer', displayName: 'outer', role: 'auditor', groups: [] },
  ],
  users: [
    {
      name: 'ann',
      role: 'administrator',
      groups: [],
      passwordHash: HASH,
      mustChangePassword: true,
    },
    {
      name: 'ben',
      role: 'none',
      disabled: true,
      groups: ['inner'],
      locked: true,
      passwordHash: HASH,
      lastName: 'Ber',
    },
    { name: 'lea', role: 'none', groups: [], provider: 'ldap', subject: 's-1' },
  ],
  clients: [{ name: 'gateway', secretDigest: digestOf('a') }],
  applications: [
    {
      name: 'adf',
      settings: { redirectUris: ['https://adf.example.org/'], public: true, claims: { groups: 'roles' } },
    },
    { name: 'https://chat.example.com/client.json', settings: { redirectUris: [], groups: ['inner'] } },
    {
      name: 'wiki',
      secretDigest: digestOf('d'),
      settings: { redirectUris: ['https://wiki.example.org/'], flows: ['code'] },
    },
  ],
  apiKeys: [
    { name: 'ci', digest: digestOf('b'), role: 'operator', expiresAt: '2099-01-31T00:00:00.000Z' },
    { name: 'entra', digest: digestOf('c'), role: 'scim' },
  ],
};

test('the state of one store, applied to an empty one, makes the same state, and applied to itself nothing', async (t) => {
  const [first, second] = [await applying(t), await applying(t)];
  await first.apply(STATE);
  const state = await first.state();
  assert.deepEqual(state, STATE);
  assert.match((await first.apply(JSON.stringify(state), '--prune')).stdout, /^Nothing to change/);
  assert.equal((await second.apply(JSON.stringify(state))).code, 0);
  assert.deepEqual(await second.state(), STATE);
});

test('all users are in the state, however many they are', async (t) => {
  const { data, apply, state, tessera, path, read } = await applying(t);
  await apply({ users: [{ name: 'ann' }] });
  const names = Array.from({ length: 1_000 }, (_, number) => `user-${number}`).sort();
  const store = openSqlite(data);
  await store.write(async ({ users }) => {
    for (const name of names)
      await users.add(newUser(name, { namesCaseSensitive: false, passwordHash: HASH }));
  });
  await store.close();
  const { users } = await state();
  assert.deepEqual(
    users?.map(({ name }) => name),
    ['ann', ...names],
  );
  await tessera(`state ${path('saved.json')}`);
  assert.deepEqual(JSON.parse(read('saved.json')).users, users);
});

test('the state is refused if a user is renamed while it is read, and not if one is added', async () => {
  const store = openMemory();
  const add = (name: string) =>
    store.write(({ users }) => users.add(newUser(name, { namesCaseSensitive: false, passwordHash: HASH })));
  for (let number = 0; number < 1_010; number += 1) await add(`user-${number}`);
  const renames = (from: string, to: string) => async () => {
    const { id } = (await store.read(({ users }) => users.findByKey(from))) ?? assert.fail();
    await store.write(({ users }) => users.rename(id, to, to));
  };
  const readAnd = async (meanwhile: () => Promise<unknown>) => {
    const read: string[] = [];
    await store.read(async (unit) => {
      for await (const page of userEntries(unit, { passwordless: 0, hash: 0 })) {
        if (read.length === 0) await meanwhile();
        read.push(...page.map(({ name }) => name));
      }
    });
    return read.length;
  };
  assert.equal(await readAnd(() => add('a-new-one')), 1_010);
  assert.equal(await readAnd(() => add('z-new-one')), 1_012);
  await assert.rejects(readAnd(renames('user-999', 'ada')), /renamed .*: run it again/);
  await assert.rejects(readAnd(renames('ada', 'zoe')), /renamed .*: run it again/);
});

test('a file of the state can be read by its owner only, even where another one was before', async (t) => {
  const { apply, tessera, path, read } = await applying(t);
  await apply({ users: [{ name: 'ann' }] });
  writeFileSync(path('saved.json'), 'old', { mode: 0o644 });
  const { stdout } = await tessera(`state ${path('saved.json')}`);
  assert.equal(stdout, '');
  assert.equal(statSync(path('saved.json')).mode & 0o777, 0o600);
  assert.equal(JSON.parse(read('saved.json')).users[0].name, 'ann');
  const nowhere = await tessera(`state ${path('no/where.json')}`);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stderr, /^.*no\/where\.json cannot be written: ENOENT/);
});

test('a file of the state is written into nothing that somebody else has put beside it', async (t) => {
  const { apply, tessera, path, read } = await applying(t);
  await apply({ users: [{ name: 'ann' }] });
  writeFileSync(path('other.json'), 'of somebody else');
  symlinkSync(path('other.json'), path('saved.json.new'));
  await tessera(`state ${path('saved.json')}`);
  assert.equal(read('other.json'), 'of somebody else');
  writeFileSync(path('saved.json.new'), '');
  const open = openSync(path('saved.json.new'), 'r');
  await tessera(`state ${path('saved.json')}`);
  assert.equal(readFileSync(open, 'utf8'), '', 'who has opened it before reads no hash');
  closeSync(open);
});

test('facts about users that the file cannot hold are told on standard error', async (t) => {
  const { apply, tessera } = await applying(t);
  await apply({ users: [{ name: 'ann', ...MD4 }] });
  await tessera('users add guest --no-password');
  const { stdout, stderr } = await tessera('state');
  assert.match(stderr, /^1 user without a password: [^\n]*\n1 user without the hash of the password, /);
  assert.doesNotMatch(stdout, /passwordHash|argon2/);
});
