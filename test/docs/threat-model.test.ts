import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const sections = readFileSync(new URL('docs/why/threat-model.md', ROOT), 'utf8').split(/^### /m).slice(1);

/** The cells of the rows below the heads of a section's table. */
const rowsOf = (section: string) =>
  section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.slice(2, -2).split(' | '));

test('each attack has a measure, a place in the code and a test', () => {
  const rows = sections.flatMap(rowsOf);
  assert.ok(rows.length > 30, `${rows.length} attacks`);
  for (const [attack = '', measure = '', place = '', tests = '', ...others] of rows) {
    assert.deepEqual(others, [], attack);
    assert.ok(measure.trim(), `${attack}: no measure`);
    const places = [...place.matchAll(/`(.+?)`/g)].map(([, path = '']) => path);
    assert.ok(places.length > 0, `${attack}: no place`);
    for (const path of places) assert.ok(existsSync(new URL(path, ROOT)), `${attack}: there is no ${path}`);
    assert.match(tests, /^\[.+\]\(\.\.\/\.\.\/test\/.+\.ts\)$/, `${attack}: no test`);
  }
});

test('each attacker leaves something that the page tells', () => {
  for (const section of sections) assert.match(section, /^What remains: \S/m, section.slice(0, 40));
});
