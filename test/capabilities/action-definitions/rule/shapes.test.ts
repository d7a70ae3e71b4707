import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDefinition, folderOf } from '../catalogue/documents.ts';
import { ALL, asking, ofNode, ofPath } from './asking.ts';
import { definitionIn, definitionsIn, elementsIn } from './xml.ts';

const D = '{http://www.alfresco.org/model/dictionary/1.0}';
const LISTS = [ALL, ofNode('sites'), ofPath('Company%20Home/Sites')];

const parameter = (name: string, type: string, mandatory: boolean) =>
  `{"name":"${name}","type":"${D}${type}","multiValued":false,"mandatory":"${mandatory}"}`;

/**
 * Definitions of the built-in set, byte by byte: one complete, one without title and description, one without
 * parameters.
 */
const IN_JSON: Readonly<Record<string, string>> = {
  'check-in': `{"name":"check-in","title":"Check in content","description":"Checks the content back in.","adhocPropertiesAllowed":"false","applicableTypes":["content"],"parameterDefinitions":[${parameter('description', 'text', false)}],"url":"/api/rules/actiondefs/check-in"}`,
  'blog-post': `{"name":"blog-post","adhocPropertiesAllowed":"false","applicableTypes":["null"],"parameterDefinitions":[${parameter('action', 'text', true)},${parameter('result', 'text', false)}],"url":"/api/rules/actiondefs/blog-post"}`,
  counter: `{"name":"counter","title":"Increment Counter","adhocPropertiesAllowed":"false","applicableTypes":[],"parameterDefinitions":[],"url":"/api/rules/actiondefs/counter"}`,
};

const xmlParameter = `<parameterDefinition><name>description</name><type>${D}text</type><multiValued>false</multiValued><mandatory>false</mandatory></parameterDefinition>`;
const IN_XML: Readonly<Record<string, string>> = {
  'check-in': `<actionDefinition><name>check-in</name><title>Check in content</title><description>Checks the content back in.</description><adhocPropertiesAllowed>false</adhocPropertiesAllowed><applicableTypes><applicableType>content</applicableType></applicableTypes><parameterDefinitions>${xmlParameter}</parameterDefinitions><url>/api/rules/actiondefs/check-in</url></actionDefinition>`,
  counter:
    '<actionDefinition><name>counter</name><title>Increment Counter</title><adhocPropertiesAllowed>false</adhocPropertiesAllowed><applicableTypes/><parameterDefinitions/><url>/api/rules/actiondefs/counter</url></actionDefinition>',
};

test('a definition is shown to the byte: keys in their order, flags as text or boolean, what it lacks left out', async (t) => {
  const { get } = await asking(t);
  const list = await get(ALL);
  for (const [name, expected] of Object.entries(IN_JSON)) {
    const { status, headers, text } = await get(`${ALL}/${name}`);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json;charset=UTF-8');
    assert.equal(text, expected);
    assert.ok(list.text.includes(expected), `${name} looks the same in the list`);
  }
});

test('a definition is shown to the byte in xml', async (t) => {
  const { get } = await asking(t);
  const list = await get(`${ALL}?format=xml`);
  for (const [name, expected] of Object.entries(IN_XML)) {
    const { status, headers, text } = await get(`${ALL}/${name}?format=xml`);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/xml;charset=UTF-8');
    assert.equal(text, `<?xml version="1.0" encoding="UTF-8"?>\n${expected}\n`);
    assert.ok(list.text.includes(expected), `${name} looks the same in the list`);
  }
});

test('a list is a bare array, sorted by name, whose definitions have the same keys in the same order', async (t) => {
  const { list } = await asking(t);
  const order = [
    ...['name', 'title', 'description', 'adhocPropertiesAllowed'],
    ...['applicableTypes', 'parameterDefinitions', 'url'],
  ];
  const orderOfParameter = ['name', 'displayLabel', 'type', 'multiValued', 'mandatory'];
  for (const path of LISTS) {
    const definitions = await list(path);
    assert.ok(Array.isArray(definitions) && definitions.length > 1);
    const names = definitions.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)].sort());
    for (const definition of definitions) {
      assert.deepEqual(
        Object.keys(definition),
        order.filter((key) => key in definition),
      );
      assert.match(definition.adhocPropertiesAllowed, /^(true|false)$/);
      for (const shown of definition.parameterDefinitions) {
        assert.deepEqual(
          Object.keys(shown),
          orderOfParameter.filter((key) => key in shown),
        );
        assert.equal(typeof shown.multiValued, 'boolean');
        assert.match(String(shown.mandatory), /^(true|false)$/);
        assert.equal(typeof shown.mandatory, 'string');
        assert.ok(String(shown.type).startsWith(D));
      }
    }
  }
});

test('flags carry what the definition says', async (t) => {
  const { list } = await asking(t);
  const definitions = await list(ALL);
  const free = definitions.filter(({ adhocPropertiesAllowed }) => adhocPropertiesAllowed === 'true');
  assert.deepEqual(
    free.map(({ name }) => name),
    ['add-features', 'script'],
  );
  const several = definitions.flatMap(({ name, parameterDefinitions }) =>
    parameterDefinitions.filter(({ multiValued }) => multiValued).map((each) => [name, each.name]),
  );
  assert.deepEqual(several, [['mail', 'to_many']]);
});

test('xml carries the same values as json, for every list and every definition', async (t) => {
  const markup = `<b>"A" & 'B'</b> ]]> &amp; Ä 日本 😀\tone\rtwo\r\nthree`;
  const own = aDefinition('own & <sons>', {
    title: markup,
    applicableTypes: ['cm:content', 'acme:thing'],
    parameters: [{ name: markup, label: markup, type: 'd:any', multiValued: true, mandatory: true }],
  });
  const { at } = await folderOf(t, { 'own.json': { definitions: [own] } });
  const { get, list } = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  for (const path of LISTS) {
    assert.deepEqual(definitionsIn((await get(`${path}?format=xml`)).text), await list(path));
    assert.deepEqual(await list(`${path}?format=json`), await list(path));
  }
  for (const { name, url } of await list(ALL)) {
    const [json, xml] = [await get(url), await get(`${url}?format=xml`)];
    assert.deepEqual(definitionIn(xml.text), JSON.parse(json.text), name);
  }
});

test('elements stand in the order of the keys', async (t) => {
  const { get } = await asking(t);
  const { text } = await get(`${ALL}/check-in?format=xml`);
  assert.deepEqual(elementsIn(text), [
    ...['actionDefinition', 'name', 'title', 'description', 'adhocPropertiesAllowed'],
    ...['applicableTypes', 'applicableType', 'parameterDefinitions', 'parameterDefinition'],
    ...['name', 'type', 'multiValued', 'mandatory', 'url'],
  ]);
});

test('an empty list is an empty array, and an empty element', async (t) => {
  const { at } = await folderOf(t, { 'own.json': { extends: 'none', definitions: [] } });
  const { get } = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  for (const path of LISTS) {
    assert.equal((await get(path)).text, '[]');
    const { text } = await get(`${path}?format=xml`);
    assert.equal(text, '<?xml version="1.0" encoding="UTF-8"?>\n<actionDefinitions/>\n');
  }
});

test('the set of today is listed on every path at once when it is chosen', async (t) => {
  const { names, get } = await asking(t, { TESSERA_DEFINITIONS_GENERATION: 'current' });
  assert.equal((await names(ALL)).length, 17);
  for (const path of [ALL, ofNode('sites'), ofPath('Company%20Home')]) {
    assert.ok((await names(path)).includes('set-property-value'));
    assert.ok(!(await names(path)).includes('copy-to-web-project'));
  }
  assert.equal((await get(`${ALL}/blog-post`)).status, 404);
  const { text } = await get(`${ALL}/mail`);
  assert.match(text, /"name":"to","displayLabel":"To","type"/);
});

test('url leads to the definition, below the base path that the caller used', async (t) => {
  const { get, list, service } = await asking(t);
  assert.deepEqual(service.settings.basePaths, [
    '/alfresco/service',
    '/alfresco/s',
    '/alfresco/wcs',
    '/alfresco/wcservice',
    '',
  ]);
  for (const base of service.settings.basePaths) {
    for (const path of LISTS) {
      for (const definition of await list(base + path)) {
        assert.equal(definition.url, `${base}/api/rules/actiondefs/${definition.name}`);
        assert.deepEqual(JSON.parse((await get(definition.url)).text), definition);
      }
    }
  }
});

test('url leads to a definition of any name', async (t) => {
  const names = ['copy.json', 'a/b', 'two words', '100%', 'a+b', 'q?u&e=r#y', 'Übersicht', '😀'];
  const definitions = names.map((name) => aDefinition(name));
  const { at } = await folderOf(t, { 'own.json': { extends: 'none', definitions } });
  const { get, list } = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  const listed = await list(ALL);
  assert.deepEqual(listed.map(({ name }) => name).sort(), names.sort());
  for (const { name, url } of listed) {
    const { status, text } = await get(url);
    assert.equal(status, 200, url);
    assert.equal(JSON.parse(text).name, name);
  }
});
