import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { leftsIn, telling } from '../../../bench/soak/lefts.ts';
import { temporaryFolder } from '../../service/start.ts';

test('a process tells what each full collection left, and no other', async (t) => {
  const file = join(await temporaryFolder(t), 'collections');
  const began = Date.now();
  const program =
    'globalThis.kept = Array.from({ length: 1e6 }, () => ({})); gc({ type: "minor" }); gc(); setTimeout(() => {}, 100)';
  execFileSync(process.execPath, ['--expose-gc', '-e', program], {
    env: { ...process.env, ...telling(file) },
  });
  const lefts = leftsIn(file, began);
  assert.ok(lefts.length > 0 && lefts.length < 5, `${lefts.length} collections`);
  const { at, heap, beside } = lefts.at(-1) ?? assert.fail();
  assert.ok(at >= 0 && heap > 20 && beside > 10);
});

test('a process that collected nothing has left nothing', () => {
  assert.deepEqual(leftsIn('/nowhere/collections', 0), []);
});
