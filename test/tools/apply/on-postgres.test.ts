import assert from 'node:assert/strict';
import { newUser } from '../../../src/core/domain/user.ts';
import { openUntilEnd } from '../../engines/postgres/opened.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { until } from '../../service/until.ts';
import { applying, diffOf } from './applying.ts';

const test = await testsOnPostgres();

const BOSS = { name: 'boss', role: 'administrator' };

test('changes of another instance meanwhile are seen: the file is compared with the newest state', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url);
  const { apply, shown, events } = await applying(t, { TESSERA_DATABASE: url });
  await apply({ users: [BOSS], groups: [{ name: 'staff' }] });
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  // The other instance adds the user of the file, disabled, after the command has looked.
  const meanwhile = store.write(async ({ users, groups }) => {
    const ben = newUser('ben', { namesCaseSensitive: false, passwordHash: 'kept', disabled: true });
    const added = await users.add(ben);
    const staff = await groups.findByKey('staff');
    await groups.addUser(staff?.id ?? 0, added?.id ?? 0);
    lock();
    await finished;
  });
  await locked;
  const document = {
    users: [BOSS, { name: 'ben', disabled: false, email: 'ben@example.org', groups: ['staff'] }],
    clients: [],
  };
  const applied = apply(document, '--prune');
  const waiting = 'SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted';
  await until('the command waits', async () => (await server.ask(waiting))[0]?.waiting === 1);
  finish();
  await meanwhile;
  const done = await applied;
  assert.deepEqual(diffOf(done), [
    '~ user "ben" email: none → "ben@example.org"',
    '~ user "ben" disabled: true → false',
  ]);
  const ben = await shown('users show ben');
  assert.deepEqual([ben.state, ben.groups], ['active', ['staff']]);
  const kinds = (await events()).map(({ event }) => event).slice(-2);
  assert.deepEqual(kinds, ['profile-changed', 'user-enabled']);
  assert.equal((await store.read(({ users }) => users.findByKey('ben')))?.passwordHash, 'kept');
});

test('on PostgreSQL a refused file and a dry run leave nothing, and a whole one is applied', async (t, server) => {
  const { apply, state, events } = await applying(t, { TESSERA_DATABASE: await server.freshSchema() });
  await apply({ users: [BOSS] });
  const [before, since] = [await state(), await events()];
  const circle = [
    { name: 'a', groups: ['b'] },
    { name: 'b', groups: ['a'] },
  ];
  assert.match(
    (await apply({ users: [{ name: 'ann' }], groups: circle })).stderr,
    /would then contain itself/,
  );
  assert.equal((await apply({ users: [{ name: 'ann' }] }, '--dry-run')).code, 3);
  assert.deepEqual([await state(), await events()], [before, since]);
  assert.equal((await apply({ users: [{ name: 'ann' }] })).code, 0);
  assert.match((await apply(JSON.stringify(await state()), '--prune')).stdout, /^Nothing to change/);
});
