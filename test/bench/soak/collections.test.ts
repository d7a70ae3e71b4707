import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { collectionSettings, readCollections } from '../../../bench/soak/collections.ts';
import { temporaryFolder } from '../../service/start.ts';

/** The memory of a process after its full collections, while it runs this program. */
async function collectionsOf(t: TestContext, program: string, every?: number) {
  const file = join(await temporaryFolder(t), 'collections');
  const began = Date.now();
  execFileSync(process.execPath, ['--expose-gc', '-e', program], {
    env: { ...process.env, ...collectionSettings(file, every) },
  });
  return readCollections(file, began);
}

test('a process writes its memory after a full collection', async (t) => {
  const program =
    'globalThis.kept = Array.from({ length: 1e6 }, () => ({})); gc(); setTimeout(() => {}, 100)';
  const { at, heap, beside } = (await collectionsOf(t, program)).at(-1) ?? assert.fail();
  assert.ok(at >= 0 && heap > 20 && beside > 10);
});

test('other collections are left out', async (t) => {
  const program =
    'let left = 20; const timer = setInterval(() => { gc({ type: "minor" }); if (!left--) clearInterval(timer) }, 5)';
  assert.deepEqual(await collectionsOf(t, program), []);
});

test('by a clock the process collects for itself', async (t) => {
  const program =
    'const { existsSync } = require("node:fs"); const timer = setInterval(() => { if (existsSync(process.env.SOAK_COLLECTIONS)) clearInterval(timer) }, 10)';
  assert.ok((await collectionsOf(t, program, 20)).length > 0);
});

test('the collections of a thread are left out: its heap is another one', async (t) => {
  const program =
    'new (require("node:worker_threads").Worker)(new URL("data:text/javascript,gc();setTimeout(() => {}, 100)"))';
  assert.deepEqual(await collectionsOf(t, program), []);
});

test('without a full collection there is no line', () => {
  assert.deepEqual(readCollections('/nowhere/collections', 0), []);
});
