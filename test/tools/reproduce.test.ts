import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../service/start.ts';

const ROOT = join(import.meta.dirname, '../..');
const NAME = 'one and one are two (and [no] more)';
const TESTS = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../src/sum.ts';
test('${NAME}', () => assert.equal(sum(1, 1), 2));
test('something else', () => assert.fail('not asked for'));
`;

/** A checkout of two commits, a defect and its mend, with the tool. Returns its folder, and the hash of the mend. */
async function checkout(t: TestContext, defect: string, mend: string, tests = TESTS) {
  const root = await temporaryFolder(t);
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
      encoding: 'utf8',
    }).trim();
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  git('init', '--quiet');
  write('src/sum.ts', defect);
  write('test/sum.test.ts', `import '../src/sum.ts';`);
  git('add', '.');
  git('commit', '--quiet', '-m', 'a defect');
  write('src/sum.ts', mend);
  write('test/sum.test.ts', tests);
  git('add', '.');
  git('commit', '--quiet', '-m', 'its mend');
  const hash = git('rev-parse', '--short=8', 'HEAD');
  write('docs/why/defects.md', `| \`${hash}\` | Sums are wrong | review | \`sum.test.ts\`: \`${NAME}\` |\n`);
  cpSync(join(ROOT, 'tools/reproduce'), join(root, 'tools/reproduce'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return { root, hash };
}

/** What the tool says of a checkout. */
function said(root: string, ...words: string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/reproduce/main.ts', ...words], {
    ...{ cwd: root, env, encoding: 'utf8' },
  });
  return { status, stdout, stderr };
}

const WRONG = 'export const sum = (a: number, b: number) => a - b;\n';
const RIGHT = 'export const sum = (a: number, b: number) => a + b;\n';

test('a defect whose test fails before the mend and passes with it is reproduced', async (t) => {
  const { root, hash } = await checkout(t, WRONG, RIGHT);
  const { status, stdout } = said(root, hash);
  assert.match(stdout, /^✔ .+\n {2}before the mend: failed .*0 !== 2\n {2}with the mend: passed\n$/);
  assert.equal(status, 0);
});

test('a defect that was not there before the mend is not reproduced', async (t) => {
  const { root } = await checkout(t, RIGHT, `${RIGHT}\n`);
  const { status, stdout } = said(root, '--all');
  assert.match(stdout, /^✖ .+\n {2}before the mend: passed\n {2}with the mend: passed\n$/);
  assert.equal(status, 1);
});

test('a test that cannot be loaded before the mend reproduces nothing', async (t) => {
  const { root, hash } = await checkout(t, 'export const other = 1;\n', RIGHT);
  const { status, stdout } = said(root, hash);
  assert.match(stdout, /before the mend: absent /);
  assert.equal(status, 1);
});

test('a folder without history and a shallow clone are told, with what to do', async (t) => {
  const { root } = await checkout(t, WRONG, RIGHT);
  const shallow = join(await temporaryFolder(t), 'shallow');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, shallow]);
  const bare = await temporaryFolder(t);
  for (const folder of [shallow, bare])
    for (const part of ['docs', 'tools']) cpSync(join(root, part), join(folder, part), { recursive: true });
  const [ofShallow, ofBare] = [said(shallow, '--all'), said(bare, '--all')];
  assert.match(ofShallow.stderr, /^this clone is shallow .*: run 'git fetch --unshallow'$/m);
  assert.match(ofBare.stderr, /^this folder has no history, since it is no checkout of git/m);
  assert.deepEqual([ofShallow.status, ofBare.status], [2, 2]);
});
