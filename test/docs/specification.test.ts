import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');

/** The sections of the specification by their numbers, each without its subsections. */
const sections = new Map(
  globSync('docs/specification/*.md', { cwd: ROOT }).flatMap((page) =>
    textOf(page)
      .split(/^<a id="section-/m)
      .slice(1)
      .map((text): [string, string] => [text.slice(0, text.indexOf('"')), text]),
  ),
);

interface CaseFile {
  readonly section: string;
  readonly cases: readonly { readonly name: string; readonly section?: string }[];
}

test('each section has a heading with the number of its anchor', () => {
  assert.ok(sections.size > 26);
  for (const [number, text] of sections)
    assert.match(text, new RegExp(`^${number.replace('.', '\\.')}"></a>\\n\\n##+ ${number}\\.? `));
});

test('each conformance case is named by its section, and each case that a section names exists', () => {
  const said = [...sections].flatMap(([number, text]) =>
    [...text.matchAll(/^- \[(\S+\.json)\]\(\S+\): (.+)$/gm)].flatMap(([, file, names = '']) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => `${number} ${file} ${name}`),
    ),
  );
  const published = globSync('conformance/cases/*.json', { cwd: ROOT }).flatMap((path) => {
    const file = JSON.parse(textOf(path)) as CaseFile;
    return file.cases.map(({ name, section = file.section }) => `${section} ${basename(path)} ${name}`);
  });
  assert.deepEqual(said.sort(), published.sort());
});

test('each operation of the reference is named by a section', () => {
  const text = [...sections.values()].join('');
  for (const [, id = ''] of textOf('docs/reference/operations.md').matchAll(/^## (\S+)$/gm))
    assert.ok(text.includes(`[\`${id}\`](../reference/operations.md#`), id);
});

/** The lines of comments in the source that match, each with its file. */
function commentsWith(pattern: string): string[] {
  const found = execFileSync(
    'git',
    ['grep', '-nE', `^ *(/?\\*|//).*${pattern}`, '--', 'src', 'test', 'conformance'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  return found.trim().split('\n');
}

test('each section that a comment cites exists', () => {
  const lines = commentsWith('pecification, section');
  assert.ok(lines.length > 100);
  for (const line of lines) {
    const cited = [...line.matchAll(/pecification, sections? (\d+(?:\.\d+)?)(?: to (\d+))?/g)];
    assert.equal(cited.length, line.split('pecification, section').length - 1, `no number: ${line}`);
    for (const [, first = '', end] of cited)
      for (const number of [first, end ?? first]) assert.ok(sections.has(number), line);
  }
});

test('no comment cites a page that is not in the repository', () => {
  const pages = new Set(
    execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((page) => basename(page)),
  );
  for (const line of commentsWith('[A-Za-z-]+\\.md'))
    for (const [, page = ''] of line.matchAll(/([\w-]+\.md)\b/g)) assert.ok(pages.has(page), line);
});
