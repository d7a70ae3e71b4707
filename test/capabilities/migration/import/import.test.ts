import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { costOf } from '../../../../src/core/identity/password-hash.ts';
import { databaseIn } from '../../../../src/engines/sqlite/data-folder.ts';
import { afterwards } from '../../../service/afterwards.ts';
import { openSqlite } from '../../../service/stores.ts';
import { MD4, ndjson, onFolder } from './importing.ts';

const BCRYPT = '$2a$05$abcdefghijklmnopqrstuuld2iNsADDUug3fJOcVEpOxzGi3c4iiu';

test('users are imported with what their lines say of them', async (t) => {
  const { importOf, kept } = await onFolder(t);
  const { stdout, code } = await importOf(
    ndjson(
      { name: 'Zoe\u0308', passwordHash: BCRYPT },
      { userName: 'root', ...MD4, administrator: true },
      { name: 'off', ...MD4, enabled: false, salt: null },
      { name: 'out', ...MD4, hashIndicator: 'md4', disabled: true },
    ),
  );
  assert.deepEqual([stdout, code], ['Added 4 users.\n', 0]);
  const states = await Promise.all(['Zo\u00eb', 'root', 'off', 'out'].map(kept));
  assert.deepEqual(
    states.map((user) => [user?.name, user?.administrator, user?.disabled, user?.generation]),
    [
      ['Zo\u00eb', false, false, 0],
      ['root', true, false, 0],
      ['off', false, true, 0],
      ['out', false, true, 0],
    ],
  );
  for (const user of states)
    assert.deepEqual(costOf(user?.passwordHash ?? ''), { memory: 8, passes: 1, lanes: 1 });
});

test('neither the file nor what is kept or printed of it shows a hash', async (t) => {
  const { importOf, kept } = await onFolder(t);
  const lines = ndjson(
    { name: 'ann', passwordHash: BCRYPT },
    { name: BCRYPT, ...MD4 },
    { name: 'bob', salt: BCRYPT },
    { name: 'carl', [BCRYPT]: 'x' },
    { name: 'dora', [MD4.passwordHash]: 'x' },
  );
  const told = [await importOf(lines)];
  for (const first of [
    `${BCRYPT},ann`,
    `${MD4.passwordHash},ann`,
    `name,${BCRYPT}`,
    `name,${MD4.passwordHash}`,
  ])
    told.push(await importOf(`${first}\n`, '--format', 'csv'));
  for (const secret of [BCRYPT.slice(-20), MD4.passwordHash]) {
    for (const { stdout, stderr } of told) assert.ok(!(stdout + stderr).includes(secret), stderr);
    assert.ok(!(await kept('ann'))?.passwordHash?.includes(secret));
  }
});

test('the same file again finds everybody there, and leaves them as they are', async (t) => {
  const { importOf, kept } = await onFolder(t);
  const lines = ndjson({ name: 'ann', ...MD4 }, { name: 'bob', passwordHash: BCRYPT });
  await importOf(lines);
  const before = await kept('ann');
  assert.equal((await importOf(lines)).stdout, 'Added 0 users.\nLeft 2 users unchanged.\n');
  assert.deepEqual(await kept('ann'), before);
  const more = await importOf(lines + ndjson({ name: 'carl', ...MD4 }));
  assert.equal(more.stdout, 'Added 1 user.\nLeft 2 users unchanged.\n');
});

const THREE = ndjson({ name: 'ann', ...MD4 }, { name: 'bob', ...MD4 }, { name: 'carl', ...MD4 });
/** A new password for the first of the three, and a new state for the second. */
const TWO_CHANGED = ndjson(
  { name: 'ann', passwordHash: BCRYPT },
  { name: 'bob', ...MD4, disabled: true },
  { name: 'carl', ...MD4 },
);

test('--update replaces what has changed, and ends the tickets of a user with another password, or disabled', async (t) => {
  const { importOf, kept } = await onFolder(t);
  await importOf(THREE);
  const carl = await kept('carl');
  const { stdout, code } = await importOf(TWO_CHANGED, '--update');
  assert.deepEqual([stdout, code], ['Added 0 users.\nUpdated 2 users.\nLeft 1 user unchanged.\n', 0]);
  assert.deepEqual([(await kept('ann'))?.generation, (await kept('bob'))?.generation], [1, 1]);
  assert.equal((await kept('bob'))?.disabled, true);
  assert.deepEqual(await kept('carl'), carl);
});

test('a dry run with --update reports the same and writes nothing', async (t) => {
  const { importOf, kept } = await onFolder(t);
  await importOf(THREE);
  const before = [await kept('ann'), await kept('bob'), await kept('carl')];
  const { stdout, code } = await importOf(TWO_CHANGED, '--update', '--dry-run');
  assert.deepEqual(
    [stdout, code],
    ['Would add 0 users.\nWould update 2 users.\nLeft 1 user unchanged.\n', 0],
  );
  assert.deepEqual([await kept('ann'), await kept('bob'), await kept('carl')], before);
});

test('a line without a hash keeps the password that an earlier line set', async (t) => {
  const { importOf, kept } = await onFolder(t);
  const lines = ndjson({ name: 'ann', ...MD4 }, { name: 'ann' });
  const { stdout } = await importOf(lines, '--update', '--without-hash');
  assert.equal(stdout, 'Added 1 user.\nLeft 1 user unchanged.\n');
  assert.equal((await kept('ann'))?.generation, 0);
});

test('--update leaves a user disabled whose line says nothing of it', async (t) => {
  const { importOf, kept, usersCommand } = await onFolder(t);
  const lines = ndjson({ name: 'ann', ...MD4 });
  await importOf(lines);
  await usersCommand('disable', 'ann');
  assert.equal((await importOf(lines, '--update')).stdout, 'Added 0 users.\nLeft 1 user unchanged.\n');
  assert.equal((await kept('ann'))?.disabled, true);
  const changed = ndjson({ name: 'ann', passwordHash: '0'.repeat(32), hashIndicator: ['md4'] });
  assert.match((await importOf(changed, '--update')).stdout, /Updated 1 user\./);
  assert.equal((await kept('ann'))?.disabled, true);
});

test('a line may say that the user has to change the password; the hash of another password is one that the user chose', async (t) => {
  const { importOf, kept, data } = await onFolder(t);
  const mustChange = async () => (await kept('ann'))?.mustChangePassword;
  const other = { passwordHash: '0'.repeat(32), hashIndicator: ['md4'] };
  await importOf(ndjson({ name: 'ann', ...MD4, mustChangePassword: true }));
  assert.equal(await mustChange(), true);
  assert.match((await importOf(ndjson({ name: 'ann', ...MD4 }), '--update')).stdout, /Left 1 user unchanged/);
  assert.equal(await mustChange(), true);
  assert.match((await importOf(ndjson({ name: 'ann', ...other }), '--update')).stdout, /Updated 1 user\./);
  assert.equal(await mustChange(), false);
  await importOf(ndjson({ name: 'ann', ...other, mustChangePassword: true }), '--update');
  assert.equal(await mustChange(), true);
  const store = openSqlite(data);
  const events = await store.read((unit) => unit.events.list({}));
  await store.close();
  assert.deepEqual(
    events.map(({ kind, reason }) => `${kind} ${reason}`),
    ['user-added imported', 'password-changed imported', 'new-password-required imported'],
  );
});

test('--update makes nobody an administrator, and nobody less than one', async (t) => {
  const { importOf, kept } = await onFolder(t);
  await importOf(ndjson({ name: 'ann', ...MD4 }, { name: 'root', ...MD4, administrator: true }));
  const { stderr, code } = await importOf(
    ndjson({ name: 'ann', ...MD4, administrator: true }, { name: 'root', ...MD4 }),
    '--update',
  );
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^line 1: makes an existing user an administrator.* leave "administrator" out,.*\nline 2: names an existing administrator.* write "administrator": true,.*\nRefused 2 lines\./,
  );
  assert.deepEqual([(await kept('ann'))?.administrator, (await kept('root'))?.administrator], [false, true]);
});

test('a dry run reports the same and writes nothing', async (t) => {
  const { importOf, usersCommand, data } = await onFolder(t);
  await openSqlite(data).close();
  const lines = ndjson({ name: 'ann', ...MD4 }, { name: 'x:y', ...MD4 });
  const dry = await importOf(lines, '--dry-run');
  assert.deepEqual([dry.stdout, dry.code], ['Would add 1 user.\n', 1]);
  assert.equal((await usersCommand('list', '--json')).stdout, '[]\n');
  assert.equal((await importOf(lines)).stderr, dry.stderr);
});

test('a dry run makes no store and migrates none: it says how to', async (t) => {
  const { importOf, data } = await onFolder(t);
  const lines = ndjson({ name: 'ann', ...MD4 });
  const { stdout, stderr, code } = await importOf(lines, '--dry-run', '--data', join(data, 'new'));
  assert.deepEqual([stdout, code], ['', 1]);
  assert.match(stderr, /^A dry run writes nothing.*tessera migrate up/);
  assert.deepEqual(readdirSync(data), []);
  using db = new DatabaseSync(databaseIn(data));
  db.exec('PRAGMA application_id = 1416852338; PRAGMA user_version = 1');
  assert.equal((await importOf(lines, '--dry-run')).stderr, stderr);
  assert.equal(db.prepare('PRAGMA user_version').get()?.user_version, 1);
});

test('--without-hash imports a user without a hash, with a password that nobody knows', async (t) => {
  const { importOf, kept } = await onFolder(t);
  const lines = ndjson({ name: 'ann' }, { name: 'bob', passwordHash: '' });
  const refused = await importOf(lines);
  assert.match(refused.stderr, /^line 1: has no passwordHash.*--without-hash.*\nline 2: has no passwordHash/);
  const taken = await importOf(lines, '--without-hash');
  assert.match(
    taken.stdout,
    /^Added 2 users\.\n2 users of these with a password that nobody knows: invite .*users passwd/,
  );
  assert.ok((await kept('ann'))?.passwordHash);
  assert.notEqual((await kept('ann'))?.passwordHash, (await kept('bob'))?.passwordHash);
});

test('two spellings of one name are reported, and the second is not taken for the first', async (t) => {
  const { importOf } = await onFolder(t);
  const { stdout, stderr } = await importOf(ndjson({ name: 'Ann', ...MD4 }, { name: 'ann', ...MD4 }));
  assert.equal(stdout, 'Added 1 user.\n');
  assert.match(stderr, /^line 2: names a user that differs from the existing user "Ann" only by case/);
  const sensitive = await onFolder(t, { TESSERA_NAMES_CASE_SENSITIVE: 'true' });
  const both = await sensitive.importOf(ndjson({ name: 'Ann', ...MD4 }, { name: 'ann', ...MD4 }));
  assert.equal(both.stdout, 'Added 2 users.\n');
});

test('each user that came is in the events, by the system user who imports, from the command line', async (t) => {
  const { importOf, data } = await onFolder(t);
  await importOf(ndjson({ name: 'ann', ...MD4 }, { name: 'root', ...MD4, administrator: true }));
  const { openSqlite } = await import('../../../service/stores.ts');
  const store = openSqlite(data);
  afterwards(t, () => store.close());
  const events = await store.read((unit) => unit.events.list({}));
  assert.deepEqual(
    events.map(({ kind, user, actor, from, reason }) => [kind, user, actor, from, reason]),
    [
      ['user-added', 'ann', userInfo().username, 'command line', 'imported'],
      ['user-added', 'root', userInfo().username, 'command line', 'imported, administrator'],
    ],
  );
});
