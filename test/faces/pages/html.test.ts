import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { type Html, html } from '../../../src/faces/pages/html.ts';
import { attributeOf, elementsOf, textOf } from './markup.ts';

/** Text that tries to be markup, and arbitrary text. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '&',
        '&amp;',
        '&lt',
        '</p>',
        '<!--',
        '-->',
        '<b x=',
        '\r',
        '\0',
        '=',
        '`',
        ' ',
      ),
    )
    .map((parts) => parts.join('')),
);

/** The text as a page can hold it: characters that no XML document holds are replaced. */
const held = (text: string) =>
  text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}');

test('no text changes the markup, in an element or in an attribute', () => {
  fc.assert(
    fc.property(texts, texts, texts, (inner, whole, part) => {
      const elements = elementsOf(html`<p title="${whole}" class="a ${part} z">${inner}</p><i>end</i>`);
      const [p, end] = elements as [(typeof elements)[number], (typeof elements)[number]];
      assert.deepEqual(
        elements.map(({ tagName }) => tagName),
        ['p', 'i'],
      );
      assert.deepEqual(
        p.attrs.map(({ name }) => name),
        ['title', 'class'],
      );
      assert.equal(attributeOf(p, 'title'), held(whole));
      assert.equal(attributeOf(p, 'class'), `a ${held(part)} z`);
      assert.equal(textOf(p), held(inner));
      assert.equal(textOf(end), 'end');
    }),
    { numRuns: 1_000 },
  );
});

test('markup stands in markup as it is, and lists stand one after the other', () => {
  const items = ['a & b', 2].map((item) => html`<li>${item}</li>`);
  assert.equal(
    String(html`<ul>${items}</ul>${undefined}${false}${true}`),
    '<ul><li>a &amp; b</li><li>2</li></ul>',
  );
});

test('an attribute that is undefined or false is left out, and one that is true is empty', () => {
  const of = (value: string | boolean | undefined) =>
    String(html`<a id="x" title="${value}" lang="de">y</a>`);
  assert.equal(of(undefined), '<a id="x" lang="de">y</a>');
  assert.equal(of(false), '<a id="x" lang="de">y</a>');
  assert.equal(of(true), '<a id="x" title="" lang="de">y</a>');
  assert.equal(of(''), '<a id="x" title="" lang="de">y</a>');
  const two = (first?: string, second?: string) => String(html`<a title="${first}" lang="${second}">y</a>`);
  assert.equal(two('1', '2'), '<a title="1" lang="2">y</a>');
  assert.equal(two(undefined, '2'), '<a lang="2">y</a>');
  assert.equal(two('1'), '<a title="1">y</a>');
});

test('an address is on this host or of the web, never one that runs a script', () => {
  const to = (address: string) => () => html`<a href="${address}">x</a>`;
  for (const address of [
    '/portal/account',
    '?cursor=1',
    '#main',
    'https://example.org/a?b=c&d',
    'otpauth://totp/a',
  ])
    assert.doesNotThrow(to(address), address);
  for (const address of [
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    ' javascript:alert(1)',
    'JAVASCRIPT:x',
    'data:text/html,x',
    '//example.org',
    '/\\example.org',
    '\tx',
    '',
  ])
    assert.throws(to(address), /href is an address/, address);
  assert.throws(() => html`<form action="${'//example.org'}"></form>`, /action is an address/);
  assert.equal(String(html`<a href="/users/${'javascript:x'}">x</a>`), '<a href="/users/javascript:x">x</a>');
});

test('an attribute holds no markup', () => {
  assert.throws(() => html`<a title="${html`<b>x</b>`}">x</a>`, /cannot hold markup/);
});

test('a value stands between elements or in a quoted attribute, and nowhere else', () => {
  const value = 'x';
  const wrong: readonly [() => Html, RegExp][] = [
    [() => html`<a ${value}>x</a>`, /outside quotes/],
    [() => html`<a title=${value}>x</a>`, /no quotes/],
    [() => html`<${value}>x`, /outside quotes/],
    [() => html`<a title='${value}'>x</a>`, /cannot hold '/],
    [() => html`<script>${value}</script>`, /script/],
    [() => html`<script>let a = "${value}"</script>`, /assets/],
    [() => html`<style>${value}</style>`, /assets/],
    [() => html`<!-- ${value} -->`, /comments/],
    [() => html`<a onclick="${value}">x</a>`, /policy/],
    [() => html`<a style="color:${value}">x</a>`, /policy/],
    [() => html`<a title="${value}`, /does not end/],
    [() => html`<a href="/x"`, /does not end/],
  ];
  for (const [make, why] of wrong) assert.throws(make, why, String(make));
});

/** The texts of each template and string in a source, and whether `html` makes markup of it, by a small reader. */
function templatesOf(source: string): { readonly isHtml: boolean; readonly texts: readonly string[] }[] {
  const found: { isHtml: boolean; texts: string[] }[] = [];
  /** Reads a template literal that begins at `at`, and returns where it ends. */
  function template(from: number, isHtml: boolean): number {
    const texts: string[] = [];
    let begin = from;
    let at = from;
    while (source[at] !== '`') {
      if (at >= source.length) throw new Error('a template does not end');
      if (source.startsWith('${', at)) {
        texts.push(source.slice(begin, at));
        at = begin = hole(at + 2);
      } else at += source[at] === '\\' ? 2 : 1;
    }
    found.push({ isHtml, texts: [...texts, source.slice(begin, at)] });
    return at + 1;
  }
  /** Reads code until the brace that closes it, or to the end. */
  function hole(from: number): number {
    let depth = 0;
    for (let at = from; at < source.length; ) {
      const character = source[at];
      const quoted = /^(?:'(?:[^'\\\n]|\\.)*'|\/\/.*|\/\*[\s\S]*?\*\/)/.exec(source.slice(at, at + 2_000));
      if (quoted) {
        if (character === "'") found.push({ isHtml: false, texts: [quoted[0]] });
        at += quoted[0].length;
      } else if (character === '`') at = template(at + 1, source.slice(0, at).endsWith('html'));
      else if (character === '}' && depth === 0 && from > 0) return at + 1;
      else {
        if (character === '{') depth++;
        if (character === '}') depth--;
        at++;
      }
    }
    return source.length;
  }
  hole(0);
  return found;
}

const SRC = fileURLToPath(new URL('../../../src/', import.meta.url));
const sources = globSync(['faces/pages/**/*.ts', 'capabilities/*/pages/**/*.ts'], { cwd: SRC });

test('each template in the sources can be used: its values stand where they are escaped', () => {
  let count = 0;
  for (const file of sources) {
    for (const { isHtml, texts } of templatesOf(readFileSync(join(SRC, file), 'utf8'))) {
      if (!isHtml) continue;
      const strings = Object.assign([...texts], { raw: texts });
      const values = texts.slice(1).map(() => undefined);
      assert.doesNotThrow(() => html(strings, ...values), `${file}: ${texts.join('…')}`);
      count++;
    }
  }
  assert.ok(count > 3, 'the reader finds the templates');
});

test('markup is made with html alone', () => {
  for (const file of sources.filter((name) => name !== 'faces/pages/html.ts')) {
    const source = readFileSync(join(SRC, file), 'utf8');
    for (const { isHtml, texts } of templatesOf(source))
      assert.ok(isHtml || !/<\/?[a-z]/i.test(texts.join('')), `${file} has markup in a text`);
  }
});
