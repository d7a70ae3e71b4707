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
      const [own, expected] = [placeholdersOf(text), placeholdersOf(english[key] as string)];
      // The form for one may say the number as a word.
      const isOne = key.endsWith('.one');
      if (isOne)
        assert.deepEqual(
          [...new Set([...own, '{count}'])].sort(),
          [...new Set([...expected, '{count}'])].sort(),
          `${language} ${key}`,
        );
      else assert.deepEqual(own, expected, `${language} ${key}`);
    }
  }
});

/** Texts that are the same word in another language. */
const SAME_WORD: Readonly<Record<string, readonly string[]>> = {
  de: [
    ...['account.name', 'appPasswords.name', 'appPasswords.server', 'form.optional', 'secondFactor.code'],
    ...['console.actions.name', 'console.clients', 'console.groups.member', 'console.programs.name'],
    ...['console.start.server', 'console.start.version', 'console.tickets', 'console.tickets.digest'],
    ...['console.webhooks', 'passkeys.name', 'passkeys.suggested', 'passkeys.title'],
    ...['role.administrator', 'role.auditor', 'role.operator'],
  ],
  es: [
    ...['console.applications.tokens', 'console.events.ticket', 'console.meanwhile.no'],
    ...['console.tickets', 'console.tickets.digest', 'console.webhooks', 'role.auditor'],
  ],
  fr: [
    ...['connected.name', 'console.actions.description', 'console.applications', 'console.clients'],
    ...['console.events.ticket', 'console.groups.type', 'console.lockOuts.action', 'console.start.version'],
    ...['console.tickets', 'console.tickets.digest', 'console.webhooks', 'layout.console', 'layout.pages'],
    ...['newPassword.partDates', 'profile.description', 'secondFactor.code'],
  ],
};
/** English words that no other language has. */
const ENGLISH =
  /\b(the|another|choose|already|characters|give|looks|your|password|with|user|again|which|this|sign(?:ed)? in)\b/i;
/** How one speaks to a friend, and not to the people who use a service. */
const FAMILIAR: Readonly<Record<string, RegExp>> = {
  de: /(?<!\p{L})(du|dich|dir|dein\p{L}*)(?!\p{L})/iu,
  es: /(?<!\p{L})(tú|tu|tus|ti)(?!\p{L})/iu,
  fr: /(?<!\p{L})(tu|toi|ton|ta|tes)(?!\p{L})/iu,
};

for (const language of LANGUAGES.filter((each) => each !== 'en')) {
  test(`the texts in ${language} have no English word, and address people formally`, () => {
    const texts = catalogueOf(language);
    const same = Object.entries(catalogueOf('en')).filter(([key, text]) => texts[key] === text);
    assert.deepEqual(new Set(same.map(([key]) => key)), new Set(SAME_WORD[language]));
    for (const [key, text] of Object.entries(texts)) {
      const words = text.replaceAll(/\{\w+\}/g, '');
      assert.doesNotMatch(words, ENGLISH, key);
      assert.doesNotMatch(words, FAMILIAR[language] ?? assert.fail(language), key);
    }
  });
}

test('French has a space that does not break before its signs', () => {
  for (const [key, text] of Object.entries(catalogueOf('fr'))) assert.doesNotMatch(text, / [?!:;»]|« /, key);
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
