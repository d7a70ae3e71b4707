import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { afterwards } from './afterwards.ts';
import { temporaryFolder } from './start.ts';

test('what is done after a test is done last-first, and a folder is there until what was begun on it has ended', async (t) => {
  const done: string[] = [];
  await t.test('the test', async (inner) => {
    const folder = await temporaryFolder(inner);
    const tell = (what: string) => void done.push(`${what}: ${existsSync(folder) ? 'there' : 'gone'}`);
    afterwards(inner, async () => tell('begun first'));
    afterwards(inner, () => tell('begun last'));
  });
  assert.deepEqual(done, ['begun last: there', 'begun first: there']);
});
