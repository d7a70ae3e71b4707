import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type PlotBar, plot } from '../../../src/faces/pages/parts/plot.ts';
import { attributeOf, elementsOf, textOf } from './markup.ts';

const drawn = (bars: readonly Partial<PlotBar>[], language: 'en' | 'de' = 'en') => {
  const all = bars.map((bar) => ({ said: 'bar', good: 0, refused: 0, ...bar }));
  return elementsOf(plot({ language, said: 'What it shows', bars: all }));
};
type Drawn = ReturnType<typeof drawn>;

const size = (element: Drawn[number], name: string) => Number(attributeOf(element, name));
const ofClass = (elements: Drawn, name: string) =>
  elements.filter((each) => attributeOf(each, 'class') === name);
/** The numbers beside the lines of the grid, from below. */
const scale = (elements: Drawn) =>
  elements.filter((each) => attributeOf(each, 'text-anchor') === 'end').map((each) => textOf(each));

test('a plot is one picture with a sentence, and each bar says its numbers', () => {
  const elements = drawn([{ said: 'a<b', good: 1, label: '<i>' }]);
  const [svg] = elements;
  assert.deepEqual([svg?.tagName, attributeOf(svg as Drawn[number], 'role')], ['svg', 'img']);
  assert.equal(attributeOf(svg as Drawn[number], 'aria-label'), 'What it shows');
  assert.deepEqual(
    elements.filter(({ tagName }) => tagName === 'title').map((each) => textOf(each)),
    ['a<b'],
  );
  assert.ok(elements.some((each) => each.tagName === 'text' && textOf(each) === '<i>'));
  assert.ok(elements.every(({ attrs }) => attrs.every(({ name }) => name !== 'style')));
});

test('bars are as high as their numbers, and refusals stand on what went well', () => {
  const elements = drawn([{ good: 60, refused: 40 }, { good: 100 }, {}]);
  const [first, second, ...others] = ofClass(elements, 'bar');
  const [refused, ...none] = ofClass(elements, 'bar refused');
  assert.deepEqual([others.length, none.length], [0, 0]);
  assert.ok(first && second && refused);
  assert.equal(size(first, 'height') + size(refused, 'height'), size(second, 'height'));
  assert.equal(size(refused, 'y') + size(refused, 'height'), size(first, 'y'));
  assert.equal(size(first, 'height') / size(second, 'height'), 0.6);
});

test('one refusal among thousands is seen', () => {
  const [refused] = ofClass(drawn([{ good: 100_000, refused: 1 }]), 'bar refused');
  assert.ok(refused && size(refused, 'height') >= 2);
});

test('the grid has whole and round numbers, written as the language writes them', () => {
  assert.deepEqual(scale(drawn([])), ['0', '1']);
  assert.deepEqual(scale(drawn([{ good: 3 }])), ['0', '1', '2', '3']);
  assert.deepEqual(scale(drawn([{ good: 5 }])), ['0', '2', '4', '6']);
  assert.deepEqual(scale(drawn([{ good: 130 }])), ['0', '50', '100', '150']);
  assert.deepEqual(scale(drawn([{ good: 1_500 }])), ['0', '500', '1K', '1.5K']);
  assert.deepEqual(
    scale(drawn([{ good: 7_000_000 }], 'de')),
    ['0', '2 Mio.', '4 Mio.', '6 Mio.', '8 Mio.'].map((each) => each.replace(' ', '\u{A0}')),
  );
});

test('for any numbers, nothing is drawn outside, and the grid has few lines', () => {
  const count = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 10 ** 9 }));
  const bars = fc.array(fc.record({ good: count, refused: count }), { maxLength: 40 });
  fc.assert(
    fc.property(bars, (given) => {
      const elements = drawn(given);
      for (const rect of elements.filter(({ tagName }) => tagName === 'rect')) {
        const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => size(rect, name));
        assert.ok(Number(x) >= 0 && Number(x) + Number(width) <= 480.1, 'across');
        assert.ok(Number(y) >= 0 && Number(y) + Number(height) <= 190, 'down');
      }
      const lines = scale(elements);
      assert.ok(lines.length >= 2 && lines.length <= 6, String(lines));
    }),
  );
});
