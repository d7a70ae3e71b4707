import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const PAGE = new URL('../../docs/reference/asvs.md', import.meta.url);

/** The requirements of levels 1 and 2 in chapters 6 and 7 of ASVS 5.0.0: in each section, those of level 1 and those of level 2. */
const SECTIONS: Readonly<Record<string, readonly [level1: readonly number[], level2: readonly number[]]>> = {
  '6.1': [[1], [2, 3]],
  '6.2': [
    [1, 2, 3, 4, 5, 6, 7, 8],
    [9, 10, 11, 12],
  ],
  '6.3': [
    [1, 2],
    [3, 4],
  ],
  '6.4': [
    [1, 2],
    [3, 4],
  ],
  '6.5': [[], [1, 2, 3, 4, 5]],
  '6.6': [[], [1, 2, 3]],
  '6.8': [[], [1, 2, 3, 4]],
  '7.1': [[], [1, 2, 3]],
  '7.2': [[1, 2, 3, 4], []],
  '7.3': [[], [1, 2]],
  '7.4': [
    [1, 2],
    [3, 4, 5],
  ],
  '7.5': [[], [1, 2]],
  '7.6': [[], [1, 2]],
};

const rows = readFileSync(PAGE, 'utf8')
  .split('\n')
  .map((line) => /^\| (\d+\.\d+\.\d+) \| (\d) \| (.+?) \| (.+) \|$/.exec(line))
  .filter((row) => row !== null);

test('each requirement of levels 1 and 2 stands in the table once, with its level', () => {
  const asked = Object.entries(SECTIONS).flatMap(([section, levels]) =>
    levels.flatMap((numbers, at) => numbers.map((number) => `${section}.${number} level ${at + 1}`)),
  );
  const shown = rows.map(([, number, level]) => `${number} level ${level}`);
  assert.deepEqual(shown.toSorted(), asked.toSorted());
});

test('each row says how the requirement is met, with a test, or why it is not', () => {
  for (const [, number, , , answer = ''] of rows) {
    const [verdict = ''] =
      /^\*\*(Met\.|When set\*\*:|Partly\.|Not met\.|Does not apply\.)/.exec(answer) ?? [];
    assert.ok(verdict, `${number} has no verdict`);
    const isAboutDocuments = /^[67]\.1\.\d$/.test(number ?? '');
    if (/Met\.|When set/.test(verdict) && !isAboutDocuments)
      assert.match(answer, /\]\(\.\.\/\.\.\/test\/[\w/.-]+\.ts\)/, `${number} is met by no test`);
    if (/Partly|Not met/.test(verdict)) assert.ok(answer.length > 60, `${number} does not say why`);
  }
});

test('each file that the table names exists', () => {
  for (const [, number, , , answer = ''] of rows)
    for (const [, target = ''] of answer.matchAll(/\]\(([^)#]+)/g))
      assert.ok(existsSync(new URL(target, PAGE)), `${number} names ${target}`);
});
