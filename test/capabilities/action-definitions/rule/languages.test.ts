import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { aDefinition, folderOf } from '../catalogue/documents.ts';
import { ALL, type Asking, asking, ofNode, ofPath } from './asking.ts';

const OWN = aDefinition('own', {
  title: { en: 'Approve', de: 'Freigeben', 'pt-BR': 'Aprovar' },
  description: { en: 'Approves it.', de: 'Gibt es frei.' },
  parameters: [{ name: 'who', type: 'd:text', label: { en: 'By whom', de: 'Durch wen' } }],
});

async function askingFor(t: TestContext, documents: Readonly<Record<string, unknown>>): Promise<Asking> {
  const { folder } = await folderOf(t, documents);
  return asking(t, { TESSERA_DEFINITIONS: folder });
}

/** The title of a definition, and the language that the answer names. */
async function titleFor({ get }: Asking, name: string, language?: string): Promise<[string, string]> {
  const { status, headers, text } = await get(
    `${ALL}/${name}`,
    language === undefined ? {} : { 'accept-language': language },
  );
  assert.equal(status, 200);
  return [JSON.parse(text).title, String(headers['content-language'])];
}

/** Values of Accept-Language, and the results. */
const ASKED: readonly (readonly [asked: string | undefined, title: string, language: string])[] = [
  [undefined, 'Approve', 'en'],
  ['', 'Approve', 'en'],
  ['*', 'Approve', 'en'],
  ['de', 'Freigeben', 'de'],
  ['DE', 'Freigeben', 'de'],
  ['de, en;q=0.5', 'Freigeben', 'de'],
  ['en;q=0.5, de;q=0.9', 'Freigeben', 'de'],
  ['fr, de;q=0.3, en;q=0.2', 'Freigeben', 'de'],
  ['de-CH', 'Freigeben', 'de'],
  ['pt-BR', 'Aprovar', 'pt-BR'],
  ['pt', 'Aprovar', 'pt-BR'],
  ['ja', 'Approve', 'en'],
  ['de;q=0', 'Approve', 'en'],
  ['de;q=0, en', 'Approve', 'en'],
  [';;;,=,', 'Approve', 'en'],
];

test('labels come in the caller’s preferred language, and the answer names it', async (t) => {
  const caller = await askingFor(t, { 'own.json': { definitions: [OWN] } });
  for (const [asked, title, language] of ASKED)
    assert.deepEqual(await titleFor(caller, 'own', asked), [title, language], String(asked));
});

/** Results for callers who name a script, a region or more, of languages with several parts. */
const LOOKED_UP: readonly (readonly [asked: string, language: string])[] = [
  ['zh-Hans-CN', 'zh-Hans'],
  ['zh-hant-tw', 'zh-Hant'],
  ['sr-Latn-RS', 'sr-Latn'],
  ['pt-BR-u-nu-latn', 'pt-BR'],
  ['zh-Hant-TW-x-a-b-c-d-e-f-g', 'zh-Hant'],
  ['zh-Hant-TW;q=0.8, zh-Hans;q=0.9', 'zh-Hans'],
  ['zh-Hant-TW , zh-Hans ; q=0.9', 'zh-Hant'],
  ['sr-Cyrl-RS, zh-Hant-TW;q=0.5', 'zh-Hant'],
  // Another region or script is a different text.
  ['pt-PT, zh-Hans;q=0.5', 'zh-Hans'],
  ['sr-Cyrl-RS', 'en'],
];

test('a language is looked up with fewer and fewer parts until one is found', async (t) => {
  const tags = ['zh-Hans', 'zh-Hant', 'pt-BR', 'sr-Latn'];
  const title = Object.fromEntries(['en', ...tags].map((tag) => [tag, tag]));
  const caller = await askingFor(t, { 'own.json': { definitions: [aDefinition('own', { title })] } });
  for (const [asked, language] of LOOKED_UP)
    assert.deepEqual(await titleFor(caller, 'own', asked), [language, language], asked);
});

test('title, description and labels of parameters change together, in json and xml, on every path', async (t) => {
  const { get, list } = await askingFor(t, { 'own.json': { definitions: [OWN] } });
  const german = { 'accept-language': 'de' };
  for (const path of [ALL, ofNode('sites'), ofPath('Company%20Home')]) {
    const own = (await list(path, german)).find(({ name }) => name === 'own');
    assert.equal(own?.title, 'Freigeben');
    assert.equal(own?.description, 'Gibt es frei.');
    assert.deepEqual(own?.parameterDefinitions, [
      {
        name: 'who',
        displayLabel: 'Durch wen',
        type: '{http://www.alfresco.org/model/dictionary/1.0}text',
        multiValued: false,
        mandatory: 'false',
      },
    ]);
    const { text, headers } = await get(`${path}?format=xml`, german);
    assert.equal(headers['content-language'], 'de');
    for (const label of ['<title>Freigeben<', '<description>Gibt es frei.<', '<displayLabel>Durch wen<'])
      assert.ok(text.includes(label), label);
  }
});

test('each language has an entity tag of its own', async (t) => {
  const { get } = await askingFor(t, { 'own.json': { definitions: [OWN] } });
  const tagFor = async (language: string) => (await get(ALL, { 'accept-language': language })).headers.etag;
  assert.notEqual(await tagFor('de'), await tagFor('en'));
  assert.equal(await tagFor('de-AT'), await tagFor('de'));
  const kept = await get(ALL, { 'accept-language': 'de', 'if-none-match': await tagFor('en') });
  assert.equal(kept.status, 200);
  assert.equal(kept.headers['content-language'], 'de');
});

test('the built-in set is in English, whatever is asked for', async (t) => {
  const caller = await asking(t);
  for (const asked of [undefined, 'en', 'de', 'ja-JP'])
    assert.deepEqual(await titleFor(caller, 'check-in', asked), ['Check in content', 'en']);
});

test('a label that is not given in the language of the answer is in the nearest that it has', async (t) => {
  const caller = await askingFor(t, {
    'own.json': {
      definitions: [
        OWN,
        aDefinition('austrian', { title: { 'de-AT': 'Freigeben, bitte', en: 'Approve' } }),
        aDefinition('french-first', { title: { fr: 'Approuver', en: 'Approve', de: 'Freigeben' } }),
        aDefinition('french', { title: { fr: 'Approuver' } }),
      ],
    },
  });
  const titles = (language: string, ...names: string[]) =>
    Promise.all(names.map(async (name) => (await titleFor(caller, name, language))[0]));
  assert.deepEqual(await titles('de-AT', 'austrian', 'own', 'french-first', 'french'), [
    'Freigeben, bitte',
    'Freigeben',
    'Freigeben',
    'Approuver',
  ]);
  // Nobody asked for French: the language of the document comes before the first label.
  assert.deepEqual(await titles('pt-BR', 'own', 'french-first'), ['Aprovar', 'Approve']);
  assert.deepEqual(await titles('ja', 'french-first', 'french'), ['Approve', 'Approuver']);
});

test('a document says in which language its plain labels are, for itself alone', async (t) => {
  const caller = await askingFor(t, {
    'a.json': { language: 'de', definitions: [aDefinition('one', { title: 'Eins' })] },
    'b.json': { language: 'fr', definitions: [aDefinition('two', { title: 'Deux' })] },
  });
  assert.deepEqual(await titleFor(caller, 'one', 'de'), ['Eins', 'de']);
  assert.deepEqual(await titleFor(caller, 'two', 'fr'), ['Deux', 'fr']);
  assert.deepEqual(await titleFor(caller, 'check-in', 'en'), ['Check in content', 'en']);
});

test('languages are the same whatever the case of their tags, and are sent in the usual one', async (t) => {
  const place = { value: 'attic', label: { en: 'Attic', 'PT-br': 'Sótão' } };
  const parameter = {
    name: 'p',
    type: 'd:text',
    constraint: 'places',
    label: { EN: 'Place', 'pT-BR': 'Lugar' },
  };
  const caller = await askingFor(t, {
    'a.json': {
      definitions: [aDefinition('one', { title: { en: 'One', 'pt-BR': 'Um' } })],
    },
    'b.json': {
      language: 'PT-BR',
      constraints: [{ name: 'places', values: [place] }],
      definitions: [
        aDefinition('two', { title: { en: 'Two', 'pt-br': 'Dois' }, parameters: [parameter] }),
        aDefinition('three', { title: 'Três' }),
      ],
    },
  });
  const titles = { one: 'Um', two: 'Dois', three: 'Três' };
  for (const asked of ['pt-BR', 'pt-br', 'PT'])
    for (const [name, title] of Object.entries(titles))
      assert.deepEqual(await titleFor(caller, name, asked), [title, 'pt-BR'], asked);
  const { text } = await caller.get(`${ALL}/two?format=schema`, { 'accept-language': 'pt-br' });
  for (const label of ['Lugar', 'Sótão']) assert.ok(text.includes(label), text);
  assert.deepEqual(await titleFor(caller, 'two', 'en'), ['Two', 'en']);
});

test('a document that replaces the built-in set decides the language alone', async (t) => {
  const caller = await askingFor(t, {
    'own.json': { extends: 'none', language: 'de', definitions: [aDefinition('eins', { title: 'Eins' })] },
  });
  for (const asked of [undefined, 'de', 'en', 'fr'])
    assert.deepEqual(await titleFor(caller, 'eins', asked), ['Eins', 'de'], String(asked));
});

test('a long list of languages is read and answered', async (t) => {
  const caller = await askingFor(t, { 'own.json': { definitions: [OWN] } });
  const many = Array.from({ length: 500 }, (_, n) => `x${n}-y;q=0.${n % 10}`).join(',');
  assert.deepEqual(await titleFor(caller, 'own', `${many},de;q=0.01`), ['Freigeben', 'de']);
});

test('only the first thousand languages of a list are looked at', async (t) => {
  const caller = await askingFor(t, { 'own.json': { definitions: [OWN] } });
  assert.deepEqual(await titleFor(caller, 'own', `${'x,'.repeat(999)}de`), ['Freigeben', 'de']);
  assert.deepEqual(await titleFor(caller, 'own', `${'x,'.repeat(1_000)}de`), ['Approve', 'en']);
});

test('the wider forms of languages count among the thousand, and one tag has a few at most', async (t) => {
  const caller = await askingFor(t, { 'own.json': { definitions: [OWN] } });
  assert.deepEqual(await titleFor(caller, 'own', `${'x-y-z,'.repeat(499)}de`), ['Freigeben', 'de']);
  assert.deepEqual(await titleFor(caller, 'own', `${'x-y-z,'.repeat(500)}de`), ['Approve', 'en']);
  assert.deepEqual(await titleFor(caller, 'own', `x${'-y'.repeat(7_000)},de`), ['Freigeben', 'de']);
});
