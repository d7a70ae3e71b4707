import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { AppPassword } from '../../../../src/core/domain/app-password.ts';
import { userKey } from '../../../../src/core/domain/user.ts';
import { startTestService } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';
import { logIn } from '../../../service/talk.ts';
import { MD4, ndjson, onFolder } from './importing.ts';

const MADE = '2026-03-04T10:30:00.000Z';
const digestOf = (digit: string) => digit.repeat(64);
const MAIL = { name: 'mail', digest: digestOf('a'), madeAt: MADE };
const SCANNER = {
  ...{ name: 'scanner, second floor', digest: digestOf('b'), madeAt: MADE },
  ...{ expiresAt: '2099-12-31T00:00:00.000Z', addresses: ['192.0.2.7', '2001:db8::/48'] },
};

/** The app passwords of a user in the store of this folder. */
async function appPasswordsIn(data: string, name: string): Promise<AppPassword[]> {
  const store = openSqlite(data);
  const found = await store.read(async ({ users, appPasswords }) => {
    const user = await users.findByKey(userKey(name));
    return user === undefined ? assert.fail(`there is no ${name}`) : appPasswords.ofUser(user.id);
  });
  await store.close();
  return found;
}

/** A folder with ann, who has these app passwords. */
async function withAnn(t: TestContext, ...appPasswords: readonly object[]) {
  const folder = await onFolder(t);
  const imported = await folder.importOf(ndjson({ name: 'ann', ...MD4, appPasswords }));
  assert.deepEqual([imported.stdout, imported.stderr], ['Added 1 user.\n', '']);
  return folder;
}

test('an import takes the app passwords of an export with digest, end and addresses', async (t) => {
  const from = await withAnn(t, SCANNER, MAIL);
  const { stdout } = await from.usersCommand('export');
  assert.deepEqual(JSON.parse(stdout).appPasswords, [MAIL, SCANNER]);
  const to = await onFolder(t);
  await to.importOf(stdout, '--without-hash');
  const [mail, scanner, ...more] = await appPasswordsIn(to.data, 'ann');
  assert.deepEqual(more, []);
  assert.deepEqual(
    [mail?.name, mail?.digest.toString('hex'), mail?.madeAt, mail?.expiresAt, mail?.addresses],
    ['mail', MAIL.digest, Date.parse(MADE), undefined, []],
  );
  assert.deepEqual(
    [scanner?.digest.toString('hex'), scanner?.expiresAt, scanner?.addresses, scanner?.usedAt],
    [SCANNER.digest, Date.parse(SCANNER.expiresAt), SCANNER.addresses, undefined],
  );
  const { stdout: events } = await to.usersCommand('show', 'ann');
  assert.match(events, /app passwords +2/);
});

test('a program logs in as before after its user has moved to another store', async (t) => {
  const from = await onFolder(t);
  await from.importOf(ndjson({ name: 'ann', ...MD4 }));
  const made = await from.usersCommand('app-passwords', 'add', 'ann', 'mail');
  const [, text = ''] = made.stdout.split('\n');
  const to = await onFolder(t);
  await to.importOf((await from.usersCommand('export')).stdout, '--without-hash');
  const { url } = await startTestService(t, { TESSERA_DATA: to.data }, () => openSqlite(to.data));
  assert.match(await logIn(url, 'ann', text), /^TICKET_/);
  await assert.rejects(logIn(url, 'ann', `${text.slice(0, -1)}${text.endsWith('a') ? 'b' : 'a'}`), {
    name: 'Refused',
  });
});

test('an expired app password is left out', async (t) => {
  const { data } = await withAnn(t, { ...MAIL, expiresAt: '2026-03-05T00:00:00.000Z' }, SCANNER);
  assert.deepEqual(
    (await appPasswordsIn(data, 'ann')).map(({ name }) => name),
    [SCANNER.name],
  );
});

test('with --update an existing user gets the app passwords that it lacks, and keeps the others', async (t) => {
  const { data, importOf } = await withAnn(t, MAIL);
  const line = (...appPasswords: readonly object[]) => ndjson({ name: 'ann', appPasswords });
  const options = ['--without-hash', '--update'];
  assert.equal(
    (await importOf(line(SCANNER), '--without-hash')).stdout,
    'Added 0 users.\nLeft 1 user unchanged.\n',
  );
  assert.match((await importOf(line(SCANNER), ...options, '--dry-run')).stdout, /^Would update 1 user\.$/m);
  assert.equal((await appPasswordsIn(data, 'ann')).length, 1);
  assert.match((await importOf(line(SCANNER), ...options)).stdout, /^Updated 1 user\.$/m);
  assert.match((await importOf(line(SCANNER, MAIL), ...options)).stdout, /^Left 1 user unchanged\.$/m);
  assert.deepEqual(
    (await appPasswordsIn(data, 'ann')).map(({ name }) => name),
    ['mail', SCANNER.name],
  );
});

test('an app password that another one has replaced, or that another user has, is refused', async (t) => {
  const { data, importOf } = await withAnn(t, MAIL);
  const other = await importOf(
    ndjson({ name: 'ann', appPasswords: [{ ...MAIL, digest: digestOf('c') }] }),
    '--without-hash',
    '--update',
  );
  assert.match(other.stderr, /gives an existing user another app password "mail": remove that one first/);
  const known = await importOf(ndjson({ name: 'ben', ...MD4, appPasswords: [{ ...MAIL, name: 'post' }] }));
  assert.match(
    known.stderr,
    /has the app password "post", which is known under another name or of another user/,
  );
  const twice = await importOf(
    ndjson(
      { name: 'cleo', ...MD4, appPasswords: [SCANNER] },
      { name: 'dora', ...MD4, appPasswords: [SCANNER] },
    ),
  );
  assert.match(twice.stdout, /^Added 1 user\.$/m);
  assert.match(twice.stderr, /2.*which is known under another name or of another user/);
  assert.deepEqual(
    (await appPasswordsIn(data, 'ann')).map(({ digest }) => digest.toString('hex')),
    [MAIL.digest],
  );
});

for (const [what, appPasswords, why] of [
  [
    'a name that cannot be',
    [{ ...MAIL, name: ' x' }],
    /app password that is not possible: the name of an app password/,
  ],
  [
    'a digest that is none',
    [{ ...MAIL, digest: 'A'.repeat(64) }],
    /"appPasswords" is not of the form: a list as/,
  ],
  ['an unknown member', [{ ...MAIL, password: 'x' }], /"appPasswords" is not of the form/],
  ['an invalid time', [{ ...MAIL, madeAt: 'yesterday' }], /"mail" with an invalid time/],
  ['an invalid end', [{ ...MAIL, expiresAt: '2030-01-31' }], /"mail" with an invalid time/],
  [
    'an address that is none',
    [{ ...MAIL, addresses: ['here'] }],
    /"mail" with "here", which is neither an address/,
  ],
  ['two of a name', [MAIL, { ...MAIL, digest: digestOf('c') }], /has the app password "mail" twice/],
  ['two of a digest', [MAIL, { ...MAIL, name: 'post' }], /has the app password "post" twice/],
] as const)
  test(`a line with an app password with ${what} is refused, and its digest is not shown`, async (t) => {
    const { importOf } = await onFolder(t);
    const { stdout, stderr } = await importOf(ndjson({ name: 'ann', ...MD4, appPasswords }));
    assert.match(stderr, why);
    assert.match(stdout, /^Added 0 users\./);
    assert.ok(!stderr.includes(digestOf('a')));
  });

test('a CSV file holds no app passwords', async (t) => {
  const { importOf } = await onFolder(t);
  const { stderr } = await importOf(
    'name,passwordHash,appPasswords\nann,,mail\n',
    '--format',
    'csv',
    '--without-hash',
  );
  assert.match(stderr, /"appPasswords" is not of the form: .*it cannot stand in a CSV file/);
});
