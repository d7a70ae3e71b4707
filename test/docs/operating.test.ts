import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const OPERATING = textOf('docs/guide/operating.md');

/** The names in a source that look like this, each of which the guide has to explain. */
function assertExplained(file: string, names: RegExp): void {
  const found = [...textOf(file).matchAll(names)].map(([, name]) => name as string);
  assert.notEqual(found.length, 0);
  for (const name of found)
    assert.ok(OPERATING.includes(`\`${name}\``), `${name} is missing in docs/guide/operating.md`);
}

test('every metric is explained', () => {
  for (const file of ['registry', 'request-metrics'])
    assertExplained(`src/telemetry/${file}.ts`, /'(tessera_[a-z_]+)'/g);
});

test('every kind of event is explained', () => {
  assertExplained('src/domain/event.ts', /^ {2}\| '([a-z-]+)'/gm);
});
