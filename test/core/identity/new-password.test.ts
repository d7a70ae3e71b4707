import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOfNewPassword, type NewPasswordRules } from '../../../src/core/identity/new-password.ts';

const faultOf = async (password: string, rules: Partial<NewPasswordRules> = {}) => {
  const fault = await faultOfNewPassword(password, { name: 'ann', least: 8, breachedFile: '', ...rules });
  return fault?.sentence;
};

/** Eight characters of two UTF-16 units each, no two alike. */
const SIGNS = '\u{1f511}\u{1f40c}\u{1f3b2}\u{1f996}\u{1f3ba}\u{1f9ca}\u{1f335}\u{1f680}';

test('a new password has at least `least` characters, of any kind', async () => {
  assert.match((await faultOf('')) ?? '', /0 characters: choose one of 8 or more/);
  assert.match((await faultOf('x7#qLw2')) ?? '', /7 characters/);
  assert.equal(await faultOf('x7#qLw2v'), undefined);
  assert.match((await faultOf('x7#qLw2v', { least: 15 })) ?? '', /choose one of 15 or more/);
});

test('characters are counted, not code units or marks', async () => {
  assert.match((await faultOf('\u{1f511}'.repeat(7))) ?? '', /7 characters/);
  assert.equal(await faultOf(SIGNS), undefined);
  assert.match((await faultOf('e\u0308'.repeat(7))) ?? '', /7 characters/);
});

test('all Unicode characters are allowed, and no kind of character is demanded', async () => {
  for (const password of [
    '\u65e5\u672c\u8a9e\u306e\u5408\u8a00\u8449\u3067\u3059',
    'qzxjvkwp',
    '83920574619',
    'a b c d e f',
    'correct-horse-battery',
    'a long quiet river',
    'qw\0er\nty\u200b#',
  ])
    assert.equal(await faultOf(password), undefined, JSON.stringify(password));
});

test('a new password has at most 1,024 bytes', async () => {
  const longest = `x7#qLw2vK9pzR4tm${'\u00e9'.repeat(504)}`;
  assert.equal(Buffer.byteLength(longest), 1_024);
  assert.equal(await faultOf(longest), undefined);
  assert.match((await faultOf(`${longest}x`)) ?? '', /longer than 1024 bytes/);
});

test('the most common passwords are refused, in upper or lower case', async () => {
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

test('a password of fifteen characters is refused if it is easy to guess', async () => {
  for (const [password, why] of [
    ['passwordpassword', /repetitions/],
    ['password123password123', /repetitions/],
    ['PasswordPassword!', /repetitions/],
    ['aaaaaaaaaaaaaaaa', /repetitions/],
    ['abcabcabcabcabc', /repetitions/],
    ['abcdefghijklmnop', /rows of letters or digits/],
    ['123456789012345', /rows of letters or digits/],
    ['lkjhgfdsapoiuytr', /rows of keys/],
    ['qwertyuiopasdfgh', /common passwords or words/],
    ['P@ssw0rd2024!!!', /common passwords or words/],
    ['20261125202611', /dates/],
    ['drowssapdrowssap', /repetitions/],
  ] as const) {
    const fault = (await faultOf(password, { least: 14 })) ?? 'no fault';
    assert.match(fault, /^the password is soon guessed, .*: choose several words/, password);
    assert.match(fault, why, password);
  }
});

test('the names of the user and of the service do not count, in upper or lower case', async () => {
  const name = 'Mia.Schneider';
  for (const password of [
    'mia.schneider',
    'MIA.SCHNEIDER',
    'schneider-schneider',
    'Schneider2026!',
    'mia.schneider.mia',
    'Tessera-Tessera',
    'TESSERA2026!!!!',
    'tesseraschneider',
  ])
    assert.match(
      (await faultOf(password, { name })) ?? 'no fault',
      /the name of the user or of this/,
      password,
    );
  for (const password of ['schneider correct horse battery', 'tessera correct horse battery'])
    assert.equal(await faultOf(password, { name }), undefined, password);
  assert.match((await faultOf('bobbobbob', { name: 'bob' })) ?? '', /repetitions/);
  assert.equal(await faultOf('xa7#qLw2v', { name: 'a' }), undefined);
});

test('a long password is judged by its better end, with bounded work', async () => {
  assert.equal(await faultOf(`${'a'.repeat(900)}x7#qLw2vK`), undefined);
  assert.equal(await faultOf(`x7#qLw2vK${'a'.repeat(900)}`), undefined);
  assert.match((await faultOf('a'.repeat(1_000))) ?? '', /repetitions/);
  const manyReadings = '4@8({[<369!|1057+72%p@55w0rd'.repeat(30);
  assert.equal(await faultOf(manyReadings, { name: 'x@'.repeat(128) }), undefined);
});

test('no message contains the password', async () => {
  for (const password of ['hunter2', 'password1', `hunter2${'x'.repeat(1_100)}`]) {
    const fault = (await faultOf(password)) ?? 'no fault';
    assert.doesNotMatch(fault, /hunter2|password1|no fault/);
  }
});
