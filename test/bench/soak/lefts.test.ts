import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { leftsIn, telling } from '../../../bench/soak/lefts.ts';
import { temporaryFolder } from '../../service/start.ts';

/** What a process left that runs this. */
async function leftBy(t: TestContext, program: string) {
  const file = join(await temporaryFolder(t), 'collections');
  const began = Date.now();
  execFileSync(process.execPath, ['--expose-gc', '-e', program], {
    env: { ...process.env, ...telling(file) },
  });
  return leftsIn(file, began);
}

test('a process tells what a full collection left', async (t) => {
  const program =
    'globalThis.kept = Array.from({ length: 1e6 }, () => ({})); gc(); setTimeout(() => {}, 100)';
  const { at, heap, beside } = (await leftBy(t, program)).at(-1) ?? assert.fail();
  assert.ok(at >= 0 && heap > 20 && beside > 10);
});

test('of other collections it tells nothing', async (t) => {
  const program =
    'let left = 20; const timer = setInterval(() => { gc({ type: "minor" }); if (!left--) clearInterval(timer) }, 5)';
  assert.deepEqual(await leftBy(t, program), []);
});

test('a process that collected nothing has left nothing', () => {
  assert.deepEqual(leftsIn('/nowhere/collections', 0), []);
});
