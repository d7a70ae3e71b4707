import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assetOf, schemeColours } from '../../../src/faces/pages/assets.ts';

const SRC = new URL('../../../src/', import.meta.url);
const STYLE = assetOf('style').text;
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|js)$/.test(file))
  .map((file) => readFileSync(new URL(file, SRC), 'utf8'))
  .join('\n');
const { light, dark } = schemeColours();

const coloursOf = (block: string) =>
  new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  );

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, brighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (brighter + 0.05) / (darker + 0.05);
}

/** What stands on what. Text needs 4.5, the edge of an input 3 (WCAG 2.2, 1.4.3 and 1.4.11). */
const PAIRS: readonly [string, readonly string[], number][] = [
  ['text', ['page', 'surface', 'soft'], 7],
  ['muted', ['page', 'surface', 'soft'], 4.5],
  ['accent', ['page', 'surface', 'soft', 'accent-soft'], 4.5],
  ['accent-hover', ['page', 'surface'], 4.5],
  ['on-accent', ['accent', 'accent-hover'], 4.5],
  ['on-bad', ['bad', 'bad-hover'], 4.5],
  ['bad', ['surface', 'page', 'bad-soft'], 4.5],
  ['good', ['good-soft'], 4.5],
  ['warning', ['warning-soft'], 4.5],
  ['edge', ['page', 'surface', 'soft'], 3],
];

for (const [scheme, block] of [
  ['light', light],
  ['dark', dark],
] as const) {
  test(`the colours of the ${scheme} scheme can be read on one another`, () => {
    const colours = coloursOf(block);
    const of = (name: string) => colours.get(name) ?? assert.fail(`no colour ${name}`);
    for (const [above, below, least] of PAIRS)
      for (const ground of below) {
        const reached = contrast(of(above), of(ground));
        assert.ok(reached >= least, `${above} on ${ground}: ${reached.toFixed(2)} of ${least}`);
      }
  });
}

test('each file of the style is served, and what depends on the medium comes last', () => {
  const folder = new URL('faces/pages/assets/styles/', SRC);
  for (const file of readdirSync(folder)) {
    const text = readFileSync(new URL(file, folder), 'utf8');
    assert.equal(STYLE.split(text).length, 2, `${file} is not served once`);
    assert.ok(text.split('\n').length <= 301, `${file} has more than 300 lines`);
  }
  assert.ok(STYLE.endsWith(readFileSync(new URL('media.css', folder), 'utf8')));
});

/** The classes in the selectors of the style. */
const styled = new Set(
  [...STYLE.replace(/\/\*[\s\S]*?\*\/|\{[^{}]*\}/g, '').matchAll(/\.([a-z][\w-]*)/g)].map(
    ([, name]) => name as string,
  ),
);

test('each class of a page has a style, and each class of the style is on a page', () => {
  const named = [...sources.matchAll(/class="([^"$]*)/g)].flatMap(([, names = '']) => names.split(/\s+/));
  for (const name of named) assert.ok(name === '' || styled.has(name), `no style for ${name}`);
  for (const name of styled) assert.match(sources, new RegExp(`['" ]${name}['" ]`), `no page has ${name}`);
});
