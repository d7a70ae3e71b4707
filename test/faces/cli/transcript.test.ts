import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, readTranscript } from './transcript.ts';

const TEXT = `A promise.

# A remark.
$ greet
< ana
< bob
Hello ana   at <time>
…
$1 (a+b)
! careful
? 1

$ leave
`;

const HELLO = 'Hello ana  at 2026-01-31T08:00:00.000Z';

const [greet, leave] = readTranscript(TEXT).steps;
assert.ok(greet && leave);

test('a transcript is read as a promise and its commands, each with its input', () => {
  const { promise, steps } = readTranscript(TEXT);
  assert.equal(promise, 'A promise.');
  assert.deepEqual(
    steps.map(({ command, stdin }) => [command, stdin]),
    [
      ['greet', 'ana\nbob\n'],
      ['leave', ''],
    ],
  );
});

test('output with placeholders and left-out lines is recognised', () => {
  for (const between of ['', 'one\n', 'one\n\ntwo\n'])
    compare(greet, { stdout: `${HELLO}\n${between}$1 (a+b)\n`, stderr: 'careful\n', code: 1 });
  compare(leave, { stdout: '', stderr: '', code: 0 });
});

test('lines that are left out of the output are none of the error output, and the other way round', () => {
  const [shown, told] = readTranscript('X.\n\n$ show\nfirst\n…\n\n$ tell\n! first\n! …\n').steps;
  assert.ok(shown && told);
  const [some, more] = ['first\n', 'first\nsecond\n'];
  for (const stdout of [some, more]) compare(shown, { stdout, stderr: '', code: 0 });
  for (const stderr of [some, more]) compare(told, { stdout: '', stderr, code: 0 });
  assert.throws(() => compare(shown, { stdout: some, stderr: some, code: 0 }), { name: 'AssertionError' });
  assert.throws(() => compare(told, { stdout: some, stderr: some, code: 0 }), { name: 'AssertionError' });
});

test('any difference in output, error output or exit code fails', () => {
  const right = { stdout: `${HELLO}\n$1 (a+b)\n`, stderr: 'careful\n', code: 1 };
  for (const wrong of [
    { stdout: `${HELLO}\n$1 (aab)\n` },
    { stdout: `${HELLO}\n$1 (a+b)\nmore\n` },
    { stdout: `more\n${right.stdout}` },
    { stdout: 'Hello ana at noon\n$1 (a+b)\n' },
    { stdout: 'Hello ana at <time>\n$1 (a+b)\n' },
    { stderr: '' },
    { stderr: 'careful\nmore\n' },
    { code: 0 },
    { code: null },
  ]) {
    assert.throws(() => compare(greet, { ...right, ...wrong }), { name: 'AssertionError' });
  }
  assert.throws(() => compare(leave, { stdout: 'bye\n', stderr: '', code: 0 }), { name: 'AssertionError' });
  assert.throws(() => compare(leave, { stdout: '', stderr: 'bye\n', code: 0 }), { name: 'AssertionError' });
});
