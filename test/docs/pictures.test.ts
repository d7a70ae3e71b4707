import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fileOf, NAMES } from '../../docs/pictures/pictures.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Bytes that a reader of a page waits for. */
const MOST = 60_000;

/** The pictures that pages show, from the root of the project, with the page and the text instead of it. */
const shown = ['*.md', 'docs/**/*.md', 'deploy/**/*.md']
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/!\[([^\]]*)\]\((?!https?:)([^)]+)\)/g)].map(
      ([, alt = '', file = '']) => ({ page, alt, file: join(dirname(page), file) }),
    ),
  );

const taken = NAMES.map((name) => `docs/${fileOf(name)}`);

test('each picture that a page shows is there, and has a text for those who do not see it', () => {
  assert.ok(shown.length > 0);
  for (const { page, alt, file } of shown) {
    assert.ok(statSync(join(ROOT, file), { throwIfNoEntry: false })?.isFile(), `${page} shows ${file}`);
    assert.ok(alt.length > 10, `${page}: ${file}`);
  }
});

test('npm run docs takes the pictures in docs/images, each small, and pages show all of them', () => {
  const there = readdirSync(join(ROOT, 'docs/images')).map((name) => `docs/images/${name}`);
  assert.deepEqual(there.toSorted(), taken.toSorted());
  for (const file of taken) {
    assert.ok(statSync(join(ROOT, file)).size <= MOST, file);
    assert.ok(
      shown.some((each) => each.file === file),
      `no page shows ${file}`,
    );
  }
});
