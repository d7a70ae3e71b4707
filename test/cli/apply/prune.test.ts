import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';
import { applying, diffOf, digestOf } from './applying.ts';

const named = (...names: readonly string[]) => names.map((name) => ({ name }));
const boss = { name: 'boss', role: 'administrator' };

test('--prune removes what the lists of the file do not name, with the events; without it all stays', async (t) => {
  const { apply, state, events } = await applying(t);
  const keyNamed = (name: string, digit: string) => ({ name, role: 'auditor', digest: digestOf(digit) });
  await apply({
    groups: named('a', 'b', 'c'),
    users: [boss, { name: 'ann', groups: ['c'] }, { name: 'ben' }],
    clients: ['x', 'y', 'z'].map((name) => ({ name, secretDigest: digestOf('a') })),
    apiKeys: [keyNamed('k', '1'), keyNamed('l', '2')],
  });
  const less = {
    groups: named('a', 'b'),
    users: [boss, { name: 'ann', groups: ['a'] }],
    apiKeys: [keyNamed('k', '1')],
  };
  const since = (await events()).length;
  assert.deepEqual(diffOf(await apply(less)), ['~ user "ann" groups: "c" → "a"']);
  const pruned = await apply(less, '--prune');
  assert.deepEqual(diffOf(pruned), ['- API key "l"', '- user "ben"', '- group "c"']);
  assert.match(pruned.stdout, /\nAdded 0, changed 0, removed 3\.\n$/);
  assert.deepEqual(
    (await events()).slice(since).map(({ event }) => event),
    ['group-left', 'group-joined', 'api-key-removed', 'user-removed', 'group-removed'],
  );
  // The file has no list of clients, so none of them is its business.
  assert.equal((await state()).clients?.length, 3);
});

test('--prune that would remove more than half is refused, and --prune-many does it', async (t) => {
  const { apply } = await applying(t);
  await apply({ groups: named('a', 'b', 'c', 'd') });
  assert.equal((await apply({ groups: named('a', 'b') }, '--prune')).code, 0);
  await apply({ groups: named('a', 'b', 'c') });
  const most = await apply({ groups: named('a') }, '--prune');
  assert.deepEqual([most.code, most.stdout], [1, '']);
  assert.equal(
    most.stderr,
    'Refused: --prune would remove 2 of 3 groups. If the file is whole, give --prune-many too.\n',
  );
  assert.deepEqual(diffOf(await apply({ groups: named('a') }, '--prune-many')), [
    '- group "b"',
    '- group "c"',
  ]);
});

test('the last administrator is neither removed nor disabled nor demoted, but may hand over in one file', async (t) => {
  const { apply, shown } = await applying(t);
  await apply({ users: [boss, { name: 'ann' }] });
  const attempts = [
    [{ users: named('ann') }, '--prune'],
    [{ users: [{ name: 'boss', role: 'none' }] }, ''],
    [{ users: [{ name: 'boss', disabled: true }] }, ''],
    [{ users: [{ name: 'boss', locked: true }] }, '--dry-run'],
  ] as const;
  for (const [document, flags] of attempts) {
    const { code, stderr } = await apply(document, flags);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^Refused: this would leave no administrator who can sign in\. Have the file name one/,
    );
  }
  assert.equal((await shown('users show boss')).state, 'active');
  const handed = await apply({ users: [{ name: 'ann', role: 'administrator' }] }, '--prune');
  assert.deepEqual(diffOf(handed), ['~ user "ann" role: none → "administrator"', '- user "boss"']);
});

test('users of a provider and the groups that it gives them are not pruned, nor taken from them', async (t) => {
  const { apply, data, shown } = await applying(t);
  await apply({
    users: [boss, { name: 'lea', provider: 'ldap', subject: 's' }],
    groups: named('there', 'here'),
  });
  const store = openSqlite(data);
  await store.write(async (unit) => {
    const lea = await unit.users.findByKey('lea');
    const there = await unit.groups.findByKey('there');
    const identity = lea && (await unit.externalIdentities.ofUser(lea.id));
    assert.ok(lea && there && identity);
    await unit.externalIdentities.put({ ...identity, groups: ['There'] });
    await unit.groups.addUser(there.id, lea.id);
  });
  await store.close();
  const both = await apply(
    { users: [boss, { name: 'lea', groups: ['here'] }], groups: named('here') },
    '--prune',
  );
  assert.deepEqual(diffOf(both), ['~ user "lea" groups: none → "here"']);
  assert.deepEqual((await shown('users show lea')).groups, ['here', 'there']);
  const none = await apply({ users: [boss], groups: named('here') }, '--prune');
  assert.match(none.stdout, /^Nothing to change/);
});
