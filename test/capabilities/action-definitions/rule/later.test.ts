import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDefinition, folderOf } from '../catalogue/documents.ts';
import { ALL, asking } from './asking.ts';

const LATER = '/api/actiondefinitions';

/** Definitions of the built-in sets, byte by byte: one with every member, and one without any optional member. */
const SHOWN: Readonly<Record<'3.2' | 'current', readonly string[]>> = {
  '3.2': [
    '{"name":"check-in","displayLabel":"Check in content","description":"Checks the content back in.","adHocPropertiesAllowed":false,"parameterDefinitions":[{"name":"description","displayLabel":null,"type":"d:text","isMultiValued":false,"isMandatory":false}],"applicableTypes":["cm:content"]}',
    '{"name":"counter","displayLabel":"Increment Counter","description":null,"adHocPropertiesAllowed":false,"parameterDefinitions":[],"applicableTypes":[]}',
  ],
  current: [
    '{"name":"add-features","displayLabel":"Add aspect","description":"Puts an extra aspect on the item.","adHocPropertiesAllowed":true,"parameterDefinitions":[{"name":"aspect-name","displayLabel":"Aspect","type":"d:qname","constraint":"ac-aspects","isMultiValued":false,"isMandatory":true}],"applicableTypes":[]}',
  ],
};

for (const [generation, expected] of Object.entries(SHOWN)) {
  test(`the list of later generations shows the definitions of ${generation} to the byte`, async (t) => {
    const { get, names } = await asking(t, { TESSERA_DEFINITIONS_GENERATION: generation });
    const { status, headers, text } = await get(LATER);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json;charset=UTF-8');
    for (const definition of expected) assert.ok(text.includes(definition), definition);
    const { data, ...rest } = JSON.parse(text);
    assert.deepEqual(rest, {});
    assert.deepEqual(
      data.map(({ name }: { name: string }) => name),
      await names(ALL),
    );
  });
}

test('the list of later generations is json only, chosen by argument alone', async (t) => {
  const { get } = await asking(t);
  assert.equal((await get(`${LATER}?format=json`)).status, 200);
  assert.equal((await get(`${LATER}?format=xml`)).status, 406);
  assert.equal((await get(`${LATER}.json`)).status, 404);
});

test('the labels of the list of later generations come in the language asked for', async (t) => {
  const own = aDefinition('own', {
    title: { en: 'Approve', de: 'Freigeben' },
    parameters: [{ name: 'who', type: 'd:text', label: { en: 'By whom', de: 'Durch wen' } }],
  });
  const { folder } = await folderOf(t, { 'own.json': { extends: 'none', definitions: [own] } });
  const { get } = await asking(t, { TESSERA_DEFINITIONS: folder });
  for (const [language, ...labels] of [
    ['de', 'Freigeben', 'Durch wen'],
    ['en', 'Approve', 'By whom'],
  ] as const) {
    const { headers, text } = await get(LATER, { 'accept-language': language });
    assert.equal(headers['content-language'], language);
    const [{ displayLabel, parameterDefinitions }] = JSON.parse(text).data;
    assert.deepEqual([displayLabel, parameterDefinitions[0].displayLabel], labels);
  }
});
