import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { STEPS } from '../../bench/first-hour/steps.ts';
import { temporaryFolder } from '../service/start.ts';

const RUNNER = fileURLToPath(new URL('../../tools/test/main.ts', import.meta.url));

/** What a run of these test files prints, with its exit code. */
async function runOf(t: TestContext, files: Readonly<Record<string, string>>, ...words: string[]) {
  const root = await temporaryFolder(t);
  for (const [name, body] of Object.entries(files)) {
    const file = join(root, 'test', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `import { test } from 'node:test';\n${body}`);
  }
  // Without this variable, which a test has from its own runner, tests below a test would not run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, status } = spawnSync(process.execPath, [RUNNER, ...words], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  return { status, lines: stdout.trim().split('\n'), stdout };
}

const PASSES = `test('passes', () => undefined);`;

test('the last line of a run counts what passed and what was skipped, and the reason stands before it', async (t) => {
  const skips = `test('skips', (t) => t.skip('no printer here: install one'));`;
  const { status, lines } = await runOf(t, { 'a.test.ts': PASSES, 'b.test.ts': skips });
  assert.match(lines.at(-1) ?? '', /^2 tests in \d+\.\d s: 1 passed, 0 failed, 1 skipped$/);
  assert.equal(lines.at(-2), '1 skipped: no printer here: install one');
  assert.equal(status, 0);
});

test('a failed test fails the run, and is named with its place and its reason', async (t) => {
  const fails = `test('fails', () => { throw new Error('the reason'); });`;
  const { status, lines, stdout } = await runOf(t, { 'a.test.ts': PASSES + fails });
  assert.match(lines.at(-1) ?? '', /: 1 passed, 1 failed, 0 skipped$/);
  assert.match(lines.at(-2) ?? '', /^✖ fails \(test\/a\.test\.ts:2\)$/);
  assert.match(stdout, /Error: the reason/);
  assert.equal(status, 1);
});

test('a process that ends before its tests do fails the run, and so does a run without tests', async (t) => {
  const { status, lines } = await runOf(t, { 'a.test.ts': `${PASSES}test('ends', () => process.exit(0));` });
  assert.match(lines.at(-1) ?? '', /, [1-9] failed, /);
  assert.equal(status, 1);
  assert.equal((await runOf(t, {})).status, 1);
});

test('slow files run with --all only, and of the others those that are named', async (t) => {
  const files = { 'a.test.ts': PASSES, 'b.test.ts': PASSES, 'c.slow.test.ts': PASSES };
  const counted = async (...words: string[]) => (await runOf(t, files, ...words)).lines.at(-1)?.split(' ')[0];
  assert.equal(await counted(), '2');
  assert.equal(await counted('--all'), '3');
  assert.equal(await counted('test/b.test.ts'), '1');
});

const STARTS = `import { execFileSync } from 'node:child_process'; test('starts', () => void execFileSync('true'));`;

test('files that start programs, by what they or their imports import, run with --all, or if they are named', async (t) => {
  const files = {
    'a.test.ts': PASSES,
    'b.test.ts': STARTS,
    'c.test.ts': `import { start } from './starting.ts'; test('starts', start);`,
    'starting.ts': `import { execFileSync } from 'node:child_process'; export const start = () => void execFileSync('true');`,
  };
  const short = await runOf(t, files);
  assert.match(short.lines.at(-1) ?? '', /^1 tests in .* 1 passed, 0 failed, 0 skipped$/);
  assert.equal(
    short.lines.at(-2),
    '2 files that start programs or are slow did not run: npm run test:all runs them',
  );
  const all = await runOf(t, files, '--all');
  assert.match(all.lines.at(-1) ?? '', /: 3 passed, 0 failed, 0 skipped$/);
  assert.ok(!all.stdout.includes('did not run'));
  const named = await runOf(t, files, 'test/c.test.ts');
  assert.match(named.lines.at(-1) ?? '', /: 1 passed, 0 failed, 0 skipped$/);
});

test('a test that starts a program in a way that its imports do not tell fails', async (t) => {
  const hidden = `test('starts', () => process.getBuiltinModule('node:child_process').execFileSync('true'));`;
  const { status, stdout } = await runOf(t, { 'a.test.ts': hidden });
  assert.equal(status, 1);
  assert.match(stdout, /this test starts a program, which the runner cannot see/);
});

test('a line for each group says how far the run is', async (t) => {
  const { lines } = await runOf(t, { 'a.test.ts': PASSES });
  assert.equal(lines[0], '✔ 1/1 test, 1 tests so far');
});

test('a run of the tests of the first hour prints what each of them took, and one that leaves some prints nothing of it', async (t) => {
  const steps = STEPS.filter((step) => 'test' in step);
  const files = Object.fromEntries(
    steps.map(({ test: file, named = 'passes' }) => {
      assert.ok(named === 'passes' || readFileSync(file, 'utf8').includes(`test('${named}'`), file);
      return [file.replace('test/', ''), `test('${named}', () => undefined);`];
    }),
  );
  const { status, lines } = await runOf(t, files, '--all');
  assert.equal(status, 0);
  const rows = lines.slice(-1 - steps.length, -1);
  for (const [at, { what }] of steps.entries())
    assert.match(rows[at]?.replace(`| ${what} | `, '') ?? '', /^\[\S+\]\(\S+\) \| \d+\.\d \|$/);
  const [first = ''] = Object.keys(files);
  const some = await runOf(t, { [first]: PASSES }, '--all');
  assert.doesNotMatch(some.stdout, /Seconds/);
});
