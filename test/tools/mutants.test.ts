import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { mutantsOf, parse } from '../../tools/mutate/mutants.ts';
import { temporaryFolder } from '../service/start.ts';

/** The mutants of this text, line by line. */
async function changesOf(t: TestContext, text: string): Promise<string[]> {
  const file = join(await temporaryFolder(t), 'sample.ts');
  writeFileSync(file, text);
  return parse([file])
    .flatMap(mutantsOf)
    .map(({ line, change }) => `${line}: ${change}`);
}

test('there are mutants of every kind, and none of types and comments', async (t) => {
  const text = `
type Level = 0 | 1 | true; // if (a < b) return 0;
export function level(a: number, b?: number): Level {
  if (a < 2) return 0;
  while (a - 5 > 1) note(a);
  const known = a === 3 && b !== undefined;
  const other = b ?? a;
  return known ? 1 : other === 4;
}
function note(_: number): void {}
`;
  assert.deepEqual(await changesOf(t, text), [
    '3: { if (a < 2) return 0; while (a - 5 > 1) note(a);  …  : other === 4; } → {}',
    '4: a < 2 → true',
    '4: a < 2 → false',
    '4: a < 2 → a <= 2',
    '4: 0 → 1',
    '5: a - 5 > 1 → true',
    '5: a - 5 > 1 → false',
    '5: a - 5 > 1 → a - 5 >= 1',
    '5: a - 5 → a + 5',
    '5: 1 → 0',
    '5: note(a); → ;',
    '6: a === 3 && b !== undefined → a === 3 || b !== undefined',
    '6: a === 3 && b !== undefined → a === 3',
    '6: a === 3 && b !== undefined → b !== undefined',
    '6: a === 3 → a !== 3',
    '6: b !== undefined → b === undefined',
    '7: b ?? a → b',
    '7: b ?? a → a',
    '8: known → true',
    '8: known → false',
    '8: 1 → 0',
    '8: other === 4 → other !== 4',
  ]);
});

test('a replacement is in the place of the replaced text', async (t) => {
  const file = join(await temporaryFolder(t), 'sample.ts');
  const text = 'export const isSo = (a: number) => /* why */ a > 0;\n';
  writeFileSync(file, text);
  const texts = parse([file])
    .flatMap(mutantsOf)
    .map(({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end));
  assert.deepEqual(texts, [text.replace('a > 0', 'a >= 0'), text.replace('> 0', '> 1')]);
});
