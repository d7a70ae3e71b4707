import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../core/storage/conformance/', import.meta.url);
/** What is no promise of every engine. */
const OTHERS = ['all.ts', 'lasting.ts', 'samples.ts'];

test('every promise that has a file is asked of every engine', () => {
  const all = readFileSync(new URL('all.ts', FOLDER), 'utf8');
  const files = readdirSync(FOLDER).filter((file) => !OTHERS.includes(file));
  assert.ok(files.length > 30);
  for (const file of files) {
    const [, promise = ''] = new RegExp(`import \\{ (\\w+) \\} from './${file}'`).exec(all) ?? [];
    assert.ok(promise !== '' && all.includes(`\n  ${promise},\n`), `${file} is not in PROMISES of all.ts`);
  }
});

test('every engine is held to them', () => {
  const engines = readdirSync(new URL('../../src/engines/', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['cache', 'sql'].includes(entry.name))
    .map(({ name }) => name);
  assert.ok(engines.length > 2);
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  for (const engine of engines) {
    const tests = globSync(`${engine}*.test.ts`, { cwd }).map((file) =>
      readFileSync(`${cwd}${file}`, 'utf8'),
    );
    assert.ok(
      tests.some((text) => text.includes('holdToPromises(')),
      `src/engines/${engine}: test/engines/${engine}.test.ts has to hold it to conformance/all.ts`,
    );
  }
});
