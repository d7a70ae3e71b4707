import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../../../src/faces/pages/html.ts';
import { pageText, type Reader, shownTime } from '../../../src/faces/pages/layout.ts';
import { sayIn } from '../../../src/faces/pages/texts/texts.ts';

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
  assert.match(text, /^<!doctype html>\n<html lang="de">/);
  assert.match(text, /<title>A &lt;title&gt; · Tessera<\/title>/);
  assert.match(text, /<body class="signed-out"><a class="skip" href="#main">Zum Inhalt springen<\/a>/);
  assert.match(text, /<main id="main" tabindex="-1"><h1>Heading<\/h1><\/main>/);
});

test('a page loads style, script and mark under the tags of their texts, and holds neither code nor style', () => {
  const text = pageText(anna, page);
  for (const name of ['style\\.css', 'script\\.js', 'mark\\.svg'])
    assert.match(text, new RegExp(`"/portal/assets/${name}\\?tag=[0-9a-f]{16}"`));
  assert.doesNotMatch(text, /<style|style=|<script>|<script[^>]*>[^<]| on\w+=/);
});

test('who is signed in signs out by a form with the token; before the sign-in there is no navigation', () => {
  const text = pageText(anna, { ...page, current: '/portal/account/password' });
  assert.match(
    text,
    /<form method="post" action="\/portal\/logout"><input type="hidden" name="formToken" value="the token">/,
  );
  assert.match(text, /<a href="\/portal\/account" aria-current="true">My account<\/a>/);
  assert.doesNotMatch(pageText(stranger, page), /<nav|<form/);
});

test('the console is shown to those with a role only', () => {
  const to = /<a href="\/portal\/console"/;
  assert.match(pageText(anna, page), to);
  assert.doesNotMatch(pageText({ ...anna, user: { name: 'anna' } }, page), to);
});

test('a moment is written in UTC, with the moment for machines', () => {
  const ms = Date.UTC(2026, 2, 1, 13, 5);
  assert.equal(
    String(shownTime(ms, anna)),
    '<time datetime="2026-03-01T13:05:00.000Z">Mar 1, 2026, 1:05 PM UTC</time>',
  );
  assert.match(String(shownTime(ms, stranger)), />01\.03\.2026, 13:05 UTC</);
});
