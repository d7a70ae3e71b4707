import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promised, stableNow } from '../../docs/reference/stable.ts';

test('nothing that was promised as stable is taken away', () => {
  const now = new Set(stableNow);
  const [lines, gone] = [promised(), promised().filter((line) => !now.has(line))];
  assert.ok(lines.length > 2_000);
  assert.deepEqual(gone, [], 'docs/reference/stability.md says how something goes away');
});
