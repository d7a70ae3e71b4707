import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { aDefinition, faultsOf, folderOf, load } from './documents.ts';

/** The reported lines without the path of the document: `line pointer: what is wrong`. */
async function faultsIn(
  t: Parameters<typeof folderOf>[0],
  text: string,
  kind: 'definitions' | 'model' = 'definitions',
): Promise<string[]> {
  const { at } = await folderOf(t, { 'own.json': text });
  const file = at('own.json');
  return faultsOf({ [kind]: file }).map((fault) => {
    assert.ok(fault.startsWith(file), fault);
    return fault.slice(file.length + 1);
  });
}

const DEFINITION = '{"name": "a", "adHocPropertiesAllowed": true, "applicableTypes": []';

/** A document, and a pattern for the line that is reported. */
const DOCUMENTS: Readonly<Record<string, readonly [text: string, fault: RegExp]>> = {
  'no text at all': ['', /^1: is not JSON/],
  'JSON that ends too soon': ['{\n  "definitions": [\n', /^2: is not JSON: it ends too soon: close/],
  'a comma too many': ['{\n  "definitions": [],\n}', /^3: is not JSON/],
  'a comment': ['{\n  // mine\n  "definitions": []\n}', /^2: is not JSON/],
  'another kind of value': ['[]', /^1: must be object/],
  'no definitions': ['{\n}', /^1: .*definitions/],
  'a member that there is not': ['{\n "definitions": [],\n "types": []\n}', /types|additional/],
  'another thing to extend': ['{\n "definitions": [],\n "extends": "all"\n}', /^3 \/extends: /],
  'a member given twice': [
    `{"definitions": [\n${DEFINITION},\n "name": "b"}\n]}`,
    /^3 \/definitions\/0\/name: is given twice$/,
  ],
  'a label with one language twice': [
    `{"definitions": [\n${DEFINITION}, "title": {\n "en": "A",\n "en": "B"}}\n]}`,
    /^4 \/definitions\/0\/title\/en: is given twice$/,
  ],
  'a label in one language under two tags': [
    `{"definitions": [\n${DEFINITION}, "title": {\n "pt-BR": "A",\n "pt-br": "B"}}\n]}`,
    /^4 \/definitions\/0\/title\/pt-br: is the same language as "pt-BR": keep one$/,
  ],
  'a label of a parameter in one language under two tags': [
    `{"definitions": [\n${DEFINITION}, "parameters": [\n{"name": "p", "type": "d:text", "label": {"en": "A", "EN": "B"}}]}\n]}`,
    /^3 \/definitions\/0\/parameters\/0\/label\/EN: is the same language as "en": keep one$/,
  ],
  'a label of a value in one language under two tags': [
    '{"definitions": [], "constraints": [{"name": "c", "values": ["a",\n{"value": "b", "label": {"en": "A", "EN": "B"}}]}]}',
    /^2 \/constraints\/0\/values\/1\/label\/EN: is the same language as "en": keep one$/,
  ],
  'one name for two definitions': [
    `{"definitions": [\n${DEFINITION}},\n${DEFINITION}}\n]}`,
    /^3 \/definitions\/1\/name: "a" is defined twice$/,
  ],
  'one name for two parameters of a definition': [
    `{"definitions": [\n${DEFINITION}, "parameters": [\n{"name": "p", "type": "d:text"},\n{"name": "p", "type": "d:int"}]}\n]}`,
    /^4 \/definitions\/0\/parameters\/1\/name: "p" is given twice$/,
  ],
  'a definition without its flag': [
    '{"definitions": [\n{"name": "a", "applicableTypes": []}\n]}',
    /^2 \/definitions\/0: .*adHocPropertiesAllowed/,
  ],
  'a flag that is text': [
    '{"definitions": [\n{"name": "a",\n "adHocPropertiesAllowed": "true", "applicableTypes": []}\n]}',
    /^3 \/definitions\/0\/adHocPropertiesAllowed: must be boolean/,
  ],
  'a type without a prefix': [
    '{"definitions": [\n{"name": "a", "adHocPropertiesAllowed": true, "applicableTypes": [\n"content"]}\n]}',
    /^3 \/definitions\/0\/applicableTypes\/0: /,
  ],
  'an empty name': [
    '{"definitions": [\n{"name": "", "adHocPropertiesAllowed": true, "applicableTypes": []}\n]}',
    /^2 \/definitions\/0\/name: /,
  ],
  'a parameter of a type that no parameter has': [
    `{"definitions": [\n${DEFINITION}, "parameters": [\n{"name": "p", "type": "d:string"}]}\n]}`,
    /^3 \/definitions\/0\/parameters\/0\/type: /,
  ],
};

for (const [what, [text, shape]] of Object.entries(DOCUMENTS)) {
  test(`a document with ${what} is reported with file, line and place`, async (t) => {
    const faults = await faultsIn(t, text);
    assert.ok(
      faults.some((fault) => shape.test(fault)),
      JSON.stringify(faults),
    );
  });
}

test('a definition with a name that no URL can hold is refused, and any other name is accepted', async (t) => {
  const named = (name: string) => `{"definitions": [\n${JSON.stringify(aDefinition(name))}\n]}`;
  for (const name of ['a\ud800', '\udc00a', '.', '..', 'a\nb', 'a\u0085'])
    assert.match(
      (await faultsIn(t, named(name))).join(),
      /^2 \/definitions\/0\/name: /,
      JSON.stringify(name),
    );
  for (const name of ['...', '.a', 'a.', 'a b', 'a/b', '日本語', '😀', '%']) {
    const { at } = await folderOf(t, { 'own.json': named(name) });
    assert.ok(load({ definitions: at('own.json') }).find(name), name);
  }
});

test('a document in another encoding is refused, and one that begins with a byte order mark is read', async (t) => {
  const { at } = await folderOf(t, {});
  const text = `\ufeff{"definitions": [${DEFINITION}, "title": "Löschen"}]}`;
  writeFileSync(at('own.json'), text, 'latin1');
  const [fault = ''] = faultsOf({ definitions: at('own.json') });
  assert.ok(fault.startsWith(`${at('own.json')}: is not UTF-8`), fault);
  writeFileSync(at('own.json'), text);
  assert.equal(load({ definitions: at('own.json') }).find('a')?.title, 'Löschen');
});

test('a label in something that is no language, or that is no text, is refused', async (t) => {
  for (const title of ['{"not a language!": "A"}', '{"en": 5}', '{"en us": 7}', '5', '["A"]']) {
    const faults = await faultsIn(t, `{"definitions": [\n${DEFINITION},\n "title": ${title}}\n]}`);
    assert.match(faults.join('\n'), /^3 \/definitions\/0\/title/m, title);
  }
});

test('a document in something that is no language is refused: its name could not be sent in a header', async (t) => {
  const faults = await faultsIn(t, '{\n "language": "日本語",\n "definitions": []\n}');
  assert.match(faults.join('\n'), /^2 \/language: /m);
});

test('every fault of every document is reported at once, however many there are', async (t) => {
  const faulty = (n: number) => `{"name": "a${n}", "adHocPropertiesAllowed": "no", "applicableTypes": []}`;
  const text = `{"definitions": [\n${Array.from({ length: 20 }, (_, n) => faulty(n)).join(',\n')}\n]}`;
  const { folder } = await folderOf(t, { 'a.json': text, 'b.json': '{', 'c.json': text });
  const faults = faultsOf({ definitions: folder });
  for (const file of ['a.json', 'c.json']) {
    for (let n = 0; n < 20; n++) {
      const place = `${file}:${n + 2} /definitions/${n}/adHocPropertiesAllowed: `;
      assert.ok(
        faults.some((fault) => fault.includes(place)),
        place,
      );
    }
  }
  assert.ok(faults.some((fault) => fault.includes('b.json:1: is not JSON')));
});

test('a name that two documents of a folder define is reported at the later one', async (t) => {
  const { folder, at } = await folderOf(t, {
    'a.json': { definitions: [aDefinition('own')] },
    'b.json': { definitions: [aDefinition('other'), aDefinition('own')] },
  });
  const [fault = '', ...more] = faultsOf({ definitions: folder });
  assert.deepEqual(more, []);
  assert.ok(fault.startsWith(at('b.json')), fault);
  assert.match(fault, / \/definitions\/1\/name: "own" is defined twice$/);
});

test('a missing document is reported by its name', async (t) => {
  const { at } = await folderOf(t, {});
  for (const kind of ['definitions', 'model']) {
    const [fault = '', ...more] = faultsOf({ [kind]: at('nothing.json') });
    assert.deepEqual(more, []);
    assert.ok(fault.startsWith(`${at('nothing.json')}: cannot be read: `), fault);
  }
});

/** Types, and a pattern for what is reported. Each type has its own line, from line 2 on. */
const MODELS: Readonly<Record<string, readonly [types: readonly string[], fault: RegExp]>> = {
  'a type that is its own super-type': [
    ['{"name": "acme:a", "parent": "acme:a"}'],
    /^2 \/types\/0: acme:a is its own super-type/,
  ],
  'a circle of types': [
    [
      '{"name": "acme:fine"}',
      '{"name": "acme:a", "parent": "acme:b"}',
      '{"name": "acme:b", "parent": "acme:c"}',
      '{"name": "acme:c", "parent": "acme:a"}',
    ],
    /^3 \/types\/1: acme:a is its own super-type, by acme:a → acme:b → acme:c → acme:a$/,
  ],
  'a type that descends from a circle of others': [
    [
      '{"name": "acme:a", "parent": "acme:b"}',
      '{"name": "acme:b", "parent": "acme:c"}',
      '{"name": "acme:c", "parent": "acme:b"}',
    ],
    /^2 \/types\/0: acme:a descends from acme:b, which is its own super-type$/,
  ],
  'a parent that there is not': [
    ['{"name": "acme:fine"}', '{"name": "acme:a", "parent": "acme:none"}'],
    /^3 \/types\/1: acme:a descends from acme:none, which is not in the model$/,
  ],
  'one name for two types': [
    ['{"name": "acme:a"}', '{"name": "acme:a", "parent": "cm:content"}'],
    /^3 \/types\/1: acme:a is given twice$/,
  ],
  'the name of a built-in type': [['{"name": "cm:content"}'], /^2 \/types\/0: cm:content is given twice$/],
  'a name without a prefix': [['{"name": "content"}'], /^2 \/types\/0\/name: /],
  'a member that there is not': [['{"name": "acme:a", "title": "A"}'], /^2 \/types\/0/],
};

for (const [what, [types, shape]] of Object.entries(MODELS)) {
  test(`a model with ${what} is refused, with file, line and place`, async (t) => {
    const faults = await faultsIn(t, `{"types": [\n${types.join(',\n')}\n]}`, 'model');
    assert.ok(
      faults.some((fault) => shape.test(fault)),
      JSON.stringify(faults),
    );
  });
}
