import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOfNewPassword, type NewPasswordRules } from '../../src/identity/new-password.ts';

const faultOf = (password: string, rules: Partial<NewPasswordRules> = {}) =>
  faultOfNewPassword(password, { name: 'ann', least: 8, breachedFile: '', ...rules });

test('a new password has at least so many characters, of whatever kind', async () => {
  assert.match((await faultOf('')) ?? '', /0 characters: choose one of 8 or more/);
  assert.match((await faultOf('x7#qLw2')) ?? '', /7 characters/);
  assert.equal(await faultOf('x7#qLw2v'), undefined);
  assert.match((await faultOf('x7#qLw2v', { least: 15 })) ?? '', /choose one of 15 or more/);
});

test('characters are counted as they are seen, not as they are stored', async () => {
  assert.match((await faultOf('\u{1f511}'.repeat(7))) ?? '', /7 characters/);
  assert.equal(await faultOf('\u{1f511}'.repeat(8)), undefined);
  assert.match((await faultOf('e\u0308'.repeat(7))) ?? '', /7 characters/);
});

test('any Unicode is welcome and nothing is demanded of its composition', async () => {
  for (const password of [
    '\u65e5\u672c\u8a9e\u306e\u5408\u8a00\u8449\u3067\u3059',
    'qzxjvkwp',
    '83920174659',
    '        ',
    'a b c d e f',
    'qw\0er\nty\u200b#',
  ])
    assert.equal(await faultOf(password), undefined, JSON.stringify(password));
});

test('a new password has at most 1,024 bytes', async () => {
  assert.equal(await faultOf('\u00e9'.repeat(512)), undefined);
  assert.match((await faultOf('\u00e9'.repeat(513))) ?? '', /longer than 1024 bytes/);
});

test('the most common passwords are refused in whatever case', async () => {
  for (const password of [
    'password',
    'PassWord',
    'password1',
    '12345678',
    'iloveyou',
    'QWERTYUIOP',
    'sunshine',
  ])
    assert.match((await faultOf(password)) ?? 'no fault', /most common/, password);
});

test('no fault repeats the password', async () => {
  for (const password of ['hunter2', 'password1', `hunter2${'x'.repeat(1_100)}`]) {
    const fault = (await faultOf(password)) ?? 'no fault';
    assert.doesNotMatch(fault, /hunter2|password1|no fault/);
  }
});
