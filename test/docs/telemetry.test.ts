import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EVENT_KINDS } from '../../src/core/domain/event.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');
const PAGE = textOf('docs/reference/telemetry.md');

/** The names in a source that look like this, each of which the page has to explain. */
function assertExplained(source: string, names: RegExp): void {
  const found = [...source.matchAll(names)].map(([, name]) => name as string);
  assert.ok(found.length > 10);
  for (const name of found)
    assert.ok(PAGE.includes(`\`${name}\``), `${name} is missing in docs/reference/telemetry.md`);
}

test('every metric is explained, whichever file it is in', () => {
  const files = globSync('src/core/telemetry/**/*.ts', { cwd: ROOT });
  assertExplained(files.map(textOf).join('\n'), /\b(tessera_[a-z]+(?:_[a-z]+)*)/g);
});

test('every kind of event is explained', () => {
  for (const kind of EVENT_KINDS)
    assert.ok(PAGE.includes(`\`${kind}\``), `${kind} is missing in docs/reference/telemetry.md`);
});
