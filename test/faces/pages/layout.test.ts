import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../../../src/faces/pages/html.ts';
import { pageText, type Reader, shownTime } from '../../../src/faces/pages/layout.ts';
import { sayIn } from '../../../src/faces/pages/texts/texts.ts';
import { formOn } from './browse.ts';
import { attributeOf, elementsIn, elementsNamed, elementsOf, onlyElement, textIn, textOf } from './markup.ts';

const stranger: Reader = { language: 'de', say: sayIn('de') };
const anna: Reader = {
  language: 'en',
  say: sayIn('en'),
  user: { name: 'anna', role: 'auditor' },
  formToken: 'the token',
};

const page = { title: 'A <title>', body: html`<h1>Heading</h1>` };

test('a page says its language, its title and where its content begins', () => {
  const text = pageText(stranger, page);
  assert.ok(text.startsWith('<!doctype html>\n'));
  onlyElement(text, 'html', { lang: 'de' });
  assert.equal(textOf(onlyElement(text, 'title')), 'A <title> · Tessera');
  const body = onlyElement(text, 'body', { class: 'signed-out' });
  const skip = onlyElement(body, 'a', { class: 'skip', href: '#main' });
  assert.deepEqual([elementsIn(body).indexOf(skip), textOf(skip)], [0, 'Zum Inhalt springen']);
  const main = onlyElement(text, 'main', { id: 'main', tabindex: '-1' });
  assert.equal(textOf(onlyElement(main, 'h1')), 'Heading');
});

test('a page loads style, script and mark under the tags of their texts, and holds neither code nor style', () => {
  const elements = elementsOf(pageText(anna, page));
  const attributes = elements.flatMap(({ attrs }) => attrs);
  for (const name of ['style\\.css', 'script\\.js', 'mark\\.svg']) {
    const address = new RegExp(`^/portal/assets/${name}\\?tag=[0-9a-f]{16}$`);
    assert.ok(
      attributes.some(({ value }) => address.test(value)),
      name,
    );
  }
  const code = elements.filter(({ tagName }) => tagName === 'script' || tagName === 'style');
  assert.deepEqual([code.map(({ tagName }) => tagName), code.map(textOf)], [['script'], ['']]);
  assert.ok(!attributes.some(({ name }) => name === 'style' || name.startsWith('on')));
});

test('who is signed in signs out by a form with the token; before the sign-in there is no navigation', () => {
  const text = pageText(anna, { ...page, current: '/portal/account/password' });
  onlyElement(text, 'form', { method: 'post', action: '/portal/logout' });
  assert.deepEqual(formOn(text, '/portal/logout'), { formToken: 'the token' });
  const current = onlyElement(text, 'a', { 'aria-current': 'true' });
  assert.deepEqual([attributeOf(current, 'href'), textOf(current)], ['/portal/account', 'anna My account']);
  assert.equal(elementsNamed(pageText(stranger, page), 'nav').length, 0);
  assert.equal(elementsNamed(pageText(stranger, page), 'form', { action: '/portal/logout' }).length, 0);
});

test('the console is shown to those with a role only', () => {
  const linksFor = (reader: Reader) =>
    elementsNamed(pageText(reader, page), 'a', { href: '/portal/console' }).length;
  assert.equal(linksFor(anna), 1);
  assert.equal(linksFor({ ...anna, user: { name: 'anna' } }), 0);
});

test('a moment is written in UTC, with the moment for machines', () => {
  const ms = Date.UTC(2026, 2, 1, 13, 5);
  assert.equal(
    String(shownTime(ms, anna)),
    '<time datetime="2026-03-01T13:05:00.000Z">Mar 1, 2026, 1:05 PM UTC</time>',
  );
  assert.equal(textIn(shownTime(ms, stranger)), '01.03.2026, 13:05 UTC');
});
