import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LANGUAGES } from '../../../src/faces/pages/texts/texts.ts';

const SRC = new URL('../../../src/', import.meta.url);
const catalogueOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`faces/pages/texts/${language}.json`, SRC), 'utf8'));
const placeholdersOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

test('each language has the same texts with the same placeholders, sorted by their names', () => {
  const english = catalogueOf('en');
  for (const language of LANGUAGES) {
    const texts = catalogueOf(language);
    assert.deepEqual(Object.keys(texts), Object.keys(english).toSorted(), `${language}.json`);
    for (const [key, text] of Object.entries(texts)) {
      assert.notEqual(text.trim(), '', `${language} ${key}`);
      // The form for one may say the number as a word.
      if (key.endsWith('.one')) continue;
      assert.deepEqual(placeholdersOf(text), placeholdersOf(english[key] as string), `${language} ${key}`);
    }
  }
});

/** Texts that are the same word in German. */
const SAME_IN_GERMAN: ReadonlySet<string> = new Set([
  ...['account.name', 'appPasswords.name', 'appPasswords.server', 'form.optional', 'secondFactor.code'],
  ...['console.actions.name', 'console.clients', 'console.groups.member', 'console.programs.name'],
  ...['console.start.server', 'console.start.version', 'console.tickets', 'console.tickets.digest'],
  ...['passkeys.name', 'passkeys.suggested', 'passkeys.title'],
  ...['role.administrator', 'role.auditor', 'role.operator'],
]);

test('no German text is the English one, except for words that are the same', () => {
  const german = catalogueOf('de');
  const same = Object.entries(catalogueOf('en')).filter(([key, text]) => german[key] === text);
  assert.deepEqual(new Set(same.map(([key]) => key)), SAME_IN_GERMAN);
});

test('a text that counts has both forms', () => {
  const keys = Object.keys(catalogueOf('en'));
  for (const key of keys.filter((each) => /\.(one|other)$/.test(each))) {
    const base = key.replace(/\.\w+$/, '');
    assert.ok(keys.includes(`${base}.one`) && keys.includes(`${base}.other`), key);
    assert.ok(!keys.includes(base), `${base} is a text and counts`);
  }
});

test('a source uses each text', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const all = files.map((file) => readFileSync(new URL(file, SRC), 'utf8')).join('\n');
  const names = new Set([...all.matchAll(/'([a-z]\w*(?:\.\w+)+)'/gi)].map(([, name]) => name));
  const beginnings = [...all.matchAll(/`([a-z]\w*(?:\.\w+)*\.)\$\{/gi)].map(
    ([, beginning]) => beginning as string,
  );
  for (const key of Object.keys(catalogueOf('en'))) {
    const base = key.replace(/\.(one|other)$/, '');
    assert.ok(names.has(base) || beginnings.some((each) => base.startsWith(each)), `no source uses ${key}`);
  }
});
