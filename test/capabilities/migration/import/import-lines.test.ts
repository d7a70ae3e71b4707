import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MD4, ndjson, onFolder } from './importing.ts';

const ADMIN = MD4.passwordHash;

/** Refused lines, and the reported reason of each. */
const REFUSED: readonly (readonly [line: string, said: RegExp])[] = [
  ['{', /is not JSON/],
  [
    `{"enabled":false,"name":"a","passwordHash":"${ADMIN}","hashIndicator":"md4","enabled":true}`,
    /has a member twice, with different values/,
  ],
  ['[]', /holds no JSON object/],
  ['"ann"', /holds no JSON object/],
  ['{}', /has no "name"/],
  [JSON.stringify({ ...MD4, name: 'a', userName: 'a' }), /"name" and "userName": give one/],
  [JSON.stringify({ ...MD4, name: 'a ' }), /begins or ends with white space/],
  [JSON.stringify({ ...MD4, name: 'a:b' }), /no colon/],
  [JSON.stringify({ ...MD4, name: 'TICKET_a' }), /TICKET_/],
  [JSON.stringify({ ...MD4, name: 'a\u0000' }), /cannot be a user's/],
  [JSON.stringify({ ...MD4, name: 7 }), /"name" is not of the form/],
  [JSON.stringify({ ...MD4, name: 'a', hashindicator: 'md4' }), /"hashindicator", which users do not have/],
  [JSON.stringify({ ...MD4, name: 'a', '\u001b[2J': 'x' }), /: has a member that users do not have/],
  [JSON.stringify({ name: 'a', password: 'secret' }), /"password": passwords are not imported/],
  [JSON.stringify({ ...MD4, name: 'a', disabled: 'no' }), /"disabled" is not of the form: true or false/],
  [JSON.stringify({ ...MD4, name: 'a', disabled: true, enabled: true }), /"disabled" and "enabled" alike/],
  [JSON.stringify({ ...MD4, name: 'a', hashIndicator: ['md5'] }), /hashIndicator that is not known/],
  [JSON.stringify({ ...MD4, name: '$2a$10$abcdefghijklmnop' }), /a hash for a name/],
  ['x'.repeat(70_000), /is longer than 65536 bytes/],
];

test('a refused line is reported with its number, and the lines around it are imported', async (t) => {
  const { importOf, usersCommand } = await onFolder(t);
  const lines = REFUSED.map(([line], index) => `${line}\n${ndjson({ name: `user-${index}`, ...MD4 })}`);
  const { stdout, stderr, code } = await importOf(`\n${lines.join('\n')}`);
  assert.equal(code, 1);
  const told = stderr.split('\n');
  for (const [index, [line, said]] of REFUSED.entries()) {
    assert.match(told[index] ?? '', new RegExp(`^line ${2 + index * 3}: `), line.slice(0, 80));
    assert.match(told[index] ?? '', said);
  }
  assert.match(told[REFUSED.length] ?? '', /^Refused 19 lines\. Mend them/);
  assert.equal(stdout, 'Added 19 users.\n');
  assert.equal(JSON.parse((await usersCommand('list', '--json')).stdout).length, 19);
});

test('a CSV file is read by its first line: quotes, empty cells, line breaks in cells, a byte order mark', async (t) => {
  const { importOf, kept } = await onFolder(t);
  const rows = [
    '\ufeffuserName,passwordHash,hashIndicator,salt,enabled,administrator',
    `"emil, jr",${ADMIN},md4,,FALSE,`,
    `"the ""boss""",${ADMIN},"md4",,true,true`,
    '',
    `plain,${ADMIN},md4,"two\nlines",,`,
    `short,${ADMIN}`,
    `maybe,${ADMIN},md4,,yes,`,
  ];
  const { stdout, stderr } = await importOf(rows.join('\r\n'), '--format', 'csv');
  assert.equal(stdout, 'Added 3 users.\n');
  assert.match(stderr, /^line 7: has not as many cells.*\nline 8: "enabled" is not of the form/);
  assert.equal((await kept('emil, jr'))?.disabled, true);
  assert.equal((await kept('the "boss"'))?.administrator, true);
  assert.equal((await kept('plain'))?.disabled, false);
});

test('a name with a blank behind the comma is refused: nobody would log in under it', async (t) => {
  const { importOf } = await onFolder(t);
  const rows = ['passwordHash, hashIndicator, name', `${ADMIN}, md4, alice`];
  const { stdout, stderr, code } = await importOf(rows.join('\n'), '--format', 'csv');
  assert.equal(stdout, 'Added 0 users.\n');
  assert.match(stderr, /^line 2: has a name that begins or ends with white space/);
  assert.equal(code, 1);
});

const BEHIND = Array.from({ length: 300 }, (_, index) => `user-${index},${ADMIN},md4`);

for (const [kind, line] of [
  ['a cell that is too long', `${'x'.repeat(70_000)},${ADMIN},md4`],
  ['a quote that is not closed', `"ann,${ADMIN},md4`],
  ['a quote that is closed within a later cell', `"a"nn,${ADMIN},md4`],
  ['a stray quote before one that is closed within a cell', `a"nn,"${ADMIN}"x,md4`],
  ['quotes that do not match, on one line', `"Ann "the" Boss" b","${ADMIN}",md4`],
] as const) {
  test(`of a CSV file with ${kind}, what is before it goes in, and what is behind it is told to wait`, async (t) => {
    const { importOf } = await onFolder(t);
    const rows = ['name,passwordHash,hashIndicator', '', `first,${ADMIN},md4`, line, ...BEHIND];
    const { stdout, stderr, code } = await importOf(rows.join('\n'), '--format', 'csv');
    assert.equal(stdout, 'Added 1 user.\n');
    assert.match(
      stderr,
      /^(line 4: .*\n)?line 4: has quotes.* nothing from this line on was read\nRefused [12] lines?\..*\n$/,
    );
    assert.equal(code, 1);
  });
}

test('a row of a CSV file with several stray quotes is reported once, and the rows after it are imported', async (t) => {
  const { importOf } = await onFolder(t);
  const rows = ['name,passwordHash,hashIndicator', `a"n"n"a,${ADMIN}`, `"two\nlines",x`, ...BEHIND];
  const { stdout, stderr } = await importOf(rows.join('\n'), '--format', 'csv');
  assert.equal(stdout, 'Added 300 users.\n');
  assert.match(
    stderr,
    /^line 2: has not as many.*\nline 3: has not as many.*: it goes on to line 4\nRefused 2 lines\./,
  );
});

test('a CSV file whose columns are not known, or that is not UTF-8, is refused as a whole', async (t) => {
  const { importOf } = await onFolder(t);
  for (const [file, said] of [
    ['name,hash\nann,x\n', /has "hash", which users do not have/],
    [`ann,${ADMIN},md4\n`, /names no columns.*name,passwordHash above it/],
    ['name,name\nann,x\n', /"name" twice/],
    ['name,Password\nann,x\n', /passwords are not imported/],
    [Buffer.from('name,passwordHash\nZo\xeb,x\n', 'latin1'), /not UTF-8.*iconv/],
  ] as const) {
    const { stderr, stdout, code } = await importOf(file, '--format', 'csv');
    assert.match(stderr, said);
    assert.deepEqual([stdout, code], ['', 1]);
  }
});

test('a name with bytes that are no UTF-8 is refused, and the lines around it are imported', async (t) => {
  const { importOf } = await onFolder(t);
  const broken = Buffer.concat([Buffer.from('{"name":"Zo'), Buffer.from([0xeb]), Buffer.from('"}\n')]);
  const { stderr, stdout } = await importOf(
    Buffer.concat([broken, Buffer.from(ndjson({ name: 'ann', ...MD4 }))]),
  );
  assert.match(stderr, /^line 1: is not UTF-8\n/);
  assert.equal(stdout, 'Added 1 user.\n');
});
