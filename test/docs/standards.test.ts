import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const REFERENCE = new URL('../../docs/reference/', import.meta.url);

/** A requirement of a standard, and how the service stands to it. */
interface Row {
  readonly section: string;
  /** The level, or the word of the standard, such as `must`. */
  readonly level: string;
  readonly answer: string;
}

/** The rows of the tables of a page in the reference. */
const rowsOf = (page: string): Row[] =>
  readFileSync(new URL(page, REFERENCE), 'utf8')
    .split('\n')
    .map((line) => /^\| (\d+(?:\.\d+)+) \| (\d|must|shall|should) \| (.+?) \| (.+) \|$/.exec(line))
    .filter((row) => row !== null)
    .map(([, section = '', level = '', , answer = '']) => ({ section, level, answer }));

/** The requirements of levels 1 and 2 in chapters 6 and 7 of ASVS 5.0.0: in each section, those of level 1 and those of level 2. */
const ASVS_SECTIONS: Readonly<
  Record<string, readonly [level1: readonly number[], level2: readonly number[]]>
> = {
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

/** The sections of RFC 9700 with requirements. */
const RFC_9700_SECTIONS = [
  ...['2.1', '2.1.1', '2.1.2', '2.2.1', '2.2.2', '2.3', '2.4', '2.5', '2.6'],
  ...['4.1.3', '4.2.4', '4.3.1', '4.3.2', '4.4.2', '4.4.2.1', '4.4.2.2', '4.5.3', '4.6.1', '4.7.1', '4.8.2'],
  ...['4.9.3', '4.10.1', '4.10.2', '4.11.1', '4.11.2', '4.12', '4.13', '4.14.2', '4.15.1', '4.16', '4.17.2'],
];

/** The sections 2 to 5 of NIST SP 800-63B-4 with requirements for a service of this kind. */
const NIST_SECTIONS = [
  ...['2.1.2', '2.1.3', '2.2.1', '2.2.2', '2.2.3', '2.3.2', '2.3.3'],
  ...['3.1.1.1', '3.1.1.2', '3.1.2.1', '3.1.2.2', '3.1.3', '3.1.4.1', '3.1.4.2', '3.1.6.2', '3.1.7.2'],
  ...['3.2.1', '3.2.2', '3.2.3', '3.2.5', '3.2.6', '3.2.8', '3.2.9'],
  ...['4.1', '4.1.2.1', '4.2.1.1', '4.2.2.1', '4.2.2.2', '4.2.3', '4.3', '4.4', '4.5', '4.6'],
  ...['5.1', '5.1.1', '5.1.2', '5.2'],
];

/** The pages, with the sections that each has to have. */
const PAGES: readonly (readonly [page: string, sections: readonly string[]])[] = [
  [
    'asvs.md',
    Object.entries(ASVS_SECTIONS).flatMap(([section, levels]) =>
      levels.flat().map((number) => `${section}.${number}`),
    ),
  ],
  ['nist-sp-800-63b-4.md', NIST_SECTIONS],
  ['rfc-9700.md', RFC_9700_SECTIONS],
];

test('each requirement of levels 1 and 2 of ASVS stands in the table once, with its level', () => {
  const asked = Object.entries(ASVS_SECTIONS).flatMap(([section, levels]) =>
    levels.flatMap((numbers, at) => numbers.map((number) => `${section}.${number} level ${at + 1}`)),
  );
  const shown = rowsOf('asvs.md').map(({ section, level }) => `${section} level ${level}`);
  assert.deepEqual(shown.toSorted(), asked.toSorted());
});

for (const [page, sections] of PAGES) {
  const rows = rowsOf(page);

  test(`${page} has a row for each section of the standard that asks for something, and reads all rows`, () => {
    assert.deepEqual([...new Set(rows.map(({ section }) => section))].toSorted(), sections.toSorted());
    const lines = readFileSync(new URL(page, REFERENCE), 'utf8').split('\n');
    assert.equal(rows.length, lines.filter((line) => /^\| \d/.test(line)).length);
  });

  test(`${page}: each row says how the requirement is met, with a test, or why it is not`, () => {
    for (const { section, answer } of rows) {
      const [verdict = ''] =
        /^\*\*(Met\.|When set\*\*:|Partly\.|Not met\.|Does not apply\.)/.exec(answer) ?? [];
      assert.ok(verdict, `${section} has no verdict`);
      const isAboutDocuments = page === 'asvs.md' && /^[67]\.1\.\d$/.test(section);
      if (/Met\.|When set/.test(verdict) && !isAboutDocuments)
        assert.match(answer, /\]\(\.\.\/\.\.\/test\/[\w/.-]+\.ts\)/, `${section} is met by no test`);
      if (/Partly|Not met/.test(verdict)) assert.ok(answer.length > 60, `${section} does not say why`);
    }
  });

  test(`${page}: each file that the table names exists`, () => {
    for (const { section, answer } of rows)
      for (const [, target = ''] of answer.matchAll(/\]\(([^)#]+)/g))
        assert.ok(
          /^https:/.test(target) || existsSync(new URL(target, REFERENCE)),
          `${section} names ${target}`,
        );
  });
}
