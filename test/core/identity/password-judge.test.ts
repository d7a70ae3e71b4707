import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { newPasswords } from '../../../src/core/identity/new-password.ts';
import { NotJudged, PasswordJudge } from '../../../src/core/identity/password-judge.ts';
import { faultOfStrength } from '../../../src/core/identity/password-strength.ts';
import { afterwards } from '../../service/afterwards.ts';
import { temporaryFolder } from '../../service/start.ts';

/** A judge whose thread runs this program, or the real one. */
async function judgeOf(t: TestContext, program?: string): Promise<PasswordJudge> {
  const file = join(await temporaryFolder(t), 'thread.mjs');
  if (program !== undefined)
    writeFileSync(file, `import { parentPort } from 'node:worker_threads';\n${program}`);
  const judge = program === undefined ? new PasswordJudge() : new PasswordJudge(pathToFileURL(file));
  afterwards(t, () => judge.close());
  return judge;
}

/** What sets new passwords by this judge, with the passwords that were hashed. */
function setting(judge: PasswordJudge) {
  const hashed: unknown[] = [];
  const { hashNew } = newPasswords({
    pool: {
      run: async (work) => {
        hashed.push(work);
        return 'a hash' as never;
      },
    },
    cost: { memory: 8, passes: 1, lanes: 1 },
    rulesFor: (name) => ({ name, least: 8, breachedFile: '' }),
    judgeStrength: judge.faultOf,
    clock: () => 0,
  });
  const owner = { name: 'ann', key: 'ann', address: '192.0.2.1', familiar: true };
  return { hashed, set: (password: string) => hashNew(owner, password) };
}

test('the thread judges as the rules do, several passwords at a time', async (t) => {
  const judge = await judgeOf(t);
  const passwords = [
    'passwordpassword',
    'x7#qLw2vK',
    'ann-ann-ann',
    'a long quiet river',
    'abcdefghijklmnop',
  ];
  const judged = await Promise.all(passwords.map((password) => judge.faultOf(password, 'ann')));
  const expected = await Promise.all(passwords.map((password) => faultOfStrength(password, 'ann')));
  assert.deepEqual(judged, expected);
});

test('a thread that dies refuses all that it was to judge, hashes nothing, and the next password has a new one', async (t) => {
  const program = `
parentPort.on('message', ({ number, password }) => {
  if (password.startsWith('die')) process.exit(3);
  if (!password.startsWith('wait')) parentPort.postMessage({ number, fault: undefined });
});`;
  const { hashed, set } = setting(await judgeOf(t, program));
  const outcomes = await Promise.allSettled([set('wait for ever'), set('die at once')]);
  for (const outcome of outcomes) {
    assert.equal(outcome.status, 'rejected');
    assert.ok(outcome.reason instanceof NotJudged);
    assert.match(outcome.reason.message, /ended: the password was not judged, so it is not set/);
    assert.match(String(outcome.reason.cause), /exited with 3/);
  }
  assert.deepEqual(hashed, []);
  assert.equal(await set('a third one'), 'a hash');
});

test('a thread that cannot start, or throws, refuses what it was to judge', async (t) => {
  for (const program of ['throw new Error("no memory");', 'import "no-such-package";']) {
    const { hashed, set } = setting(await judgeOf(t, program));
    await assert.rejects(set('a long quiet river'), NotJudged);
    assert.deepEqual(hashed, []);
  }
});

test('a password that cannot be judged is refused alone', async (t) => {
  const program = `
parentPort.on('message', ({ number, password }) =>
  parentPort.postMessage(password.startsWith('odd') ? { number, failed: 'TypeError' } : { number, fault: undefined }));`;
  const { hashed, set } = setting(await judgeOf(t, program));
  const [odd, even] = await Promise.allSettled([set('odd password'), set('even password')]);
  assert.equal(odd.status, 'rejected');
  assert.ok(odd.reason instanceof NotJudged);
  assert.deepEqual([even.status, hashed.length], ['fulfilled', 1]);
});

test('the end of the service ends the thread, and what it was to judge is refused', async (t) => {
  const judge = await judgeOf(t, `parentPort.on('message', () => undefined);`);
  const { set } = setting(judge);
  const pending = set('a long quiet river');
  const refused = assert.rejects(pending, NotJudged);
  await judge.close();
  await refused;
  await assert.rejects(set('a long quiet river'), /the service stops/);
});
