import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');
const pagesIn = (...folders: string[]) =>
  folders.flatMap((folder) => globSync(`${folder}/*.md`, { cwd: ROOT }));

test('a how-to page begins with what its reader has at the end', () => {
  for (const page of pagesIn('docs/how-to'))
    assert.match(textOf(page), /^# .+\n\nAt the end of this page /, page);
});

test('a page of a decision says what is open, what was decided, why, what it costs, and where it is', () => {
  for (const page of pagesIn('docs/why').filter((each) => basename(each) !== 'README.md')) {
    const parts = [...textOf(page).matchAll(/^\*\*(Open|Decided|Why|Costs|In the code)\.\*\*/gm)];
    assert.equal(parts.map(([, part]) => part).join(), 'Open,Decided,Why,Costs,In the code', page);
  }
});

test('the index leads to every page', () => {
  const index = textOf('docs/README.md');
  const shown = [...index.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, page]) => `docs/${page}`);
  for (const page of pagesIn('docs', 'docs/start', 'docs/how-to', 'docs/reference'))
    assert.ok(page === 'docs/README.md' || shown.includes(page), `docs/README.md does not lead to ${page}`);
});
