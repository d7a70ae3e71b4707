import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { aDefinition, folderOf } from '../catalogue/documents.ts';
import { ALL, type Asking, aNode, asking, keep, ofNode } from './asking.ts';

/** Validates by a schema, strictly: an invalid schema or an unknown keyword throws. */
function judge(schema: object): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: true, strictTypes: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  assert.ok(ajv.validateSchema(schema), ajv.errorsText());
  const validate = ajv.compile(schema);
  return (value) => validate(value) as boolean;
}

async function schemaAt({ get }: Asking, path: string, headers = {}) {
  const heard = await get(`${path}?format=schema`, headers);
  assert.equal(heard.status, 200, heard.text);
  assert.equal(heard.headers['content-type'], 'application/schema+json');
  return JSON.parse(heard.text);
}

const parameter = (name: string, type: string, more = {}) => ({ name, type, ...more });

const RICH = {
  language: 'en',
  constraints: [
    { name: 'acme-places', values: ['cellar', 'attic'] },
    { name: 'acme-years', values: [{ value: 5, label: { en: 'five', de: 'fünf' } }, 10] },
  ],
  definitions: [
    aDefinition('a/b ~', {
      title: { en: 'Archive', de: 'Archivieren' },
      description: 'Puts it away.',
      parameters: [
        parameter('text', 'd:text', { label: { en: 'Text', de: 'Wortlaut' } }),
        parameter('int', 'd:int', { mandatory: true }),
        parameter('long', 'd:long'),
        parameter('double', 'd:double'),
        parameter('date', 'd:date'),
        parameter('datetime', 'd:datetime'),
        parameter('boolean', 'd:boolean'),
        parameter('noderef', 'd:noderef'),
        parameter('qname', 'd:qname'),
        parameter('any', 'd:any'),
        parameter('many', 'd:text', { multiValued: true, mandatory: true }),
        parameter('place', 'd:text', { constraint: 'acme-places' }),
        parameter('places', 'd:text', { constraint: 'acme-places', multiValued: true }),
        parameter('years', 'd:int', { constraint: 'acme-years' }),
        parameter('script', 'd:noderef', { constraint: 'ac-scripts' }),
      ],
    }),
    aDefinition('acme-free', { adHocPropertiesAllowed: true }),
  ],
};

async function rich(t: Parameters<typeof asking>[0]): Promise<Asking> {
  const { at } = await folderOf(t, { 'own.json': RICH });
  return asking(t, { TESSERA_DEFINITIONS: at('own.json') });
}

const NODE = 'workspace://SpacesStore/company-home';
const LEAST = { int: 1, many: ['a'] };
const WHOLE = {
  ...{ text: 'a', int: -5, long: 2 ** 40, double: 1.5, date: '2026-01-31', boolean: true, any: [{}] },
  ...{ datetime: '2026-01-31T08:00:00Z', noderef: NODE, qname: 'cm:titled', many: ['a', 'b'] },
  ...{ place: 'attic', places: ['attic', 'cellar'], years: 10, script: NODE },
};

test('every definition of every built-in set is a schema of its own, and one of the list', async (t) => {
  for (const generation of ['3.2', 'current']) {
    const service = await asking(t, { TESSERA_DEFINITIONS_GENERATION: generation });
    const list = await schemaAt(service, ALL);
    judge(list);
    const names = await service.names(ALL);
    assert.deepEqual(Object.keys(list.$defs).sort(), names.toSorted());
    for (const name of names) {
      const { $schema, ...schema } = await schemaAt(service, `${ALL}/${name}`);
      judge({ $schema, ...schema });
      assert.equal($schema, 'https://json-schema.org/draft/2020-12/schema');
      assert.deepEqual(schema, list.$defs[name]);
    }
  }
});

test('types are mapped, mandatory parameters required, lists arrays, and labels titles in the language asked for', async (t) => {
  const service = await rich(t);
  const schema = await schemaAt(service, `${ALL}/a%2Fb%20~`, { 'accept-language': 'de' });
  assert.equal(schema.title, 'Archivieren');
  assert.equal(schema.description, 'Puts it away.');
  assert.deepEqual(schema.required, ['int', 'many']);
  assert.equal(schema.additionalProperties, false);
  const { text, int, many, place, years, script, date } = schema.properties;
  assert.deepEqual(text, { title: 'Wortlaut', type: 'string', $comment: 'd:text' });
  assert.equal(int.type, 'integer');
  assert.deepEqual(many, {
    type: 'array',
    items: { type: 'string', $comment: 'd:text' },
    minItems: 1,
  });
  assert.deepEqual(place, { type: 'string', $comment: 'd:text', enum: ['cellar', 'attic'] });
  assert.deepEqual(years.oneOf, [{ const: 5, title: 'fünf' }, { const: 10 }]);
  assert.match(script.description, /ac-scripts/);
  assert.equal(date.format, 'date');
});

test('the schema of a definition takes what its action takes, and refuses the rest', async (t) => {
  const takes = judge(await schemaAt(await rich(t), `${ALL}/a%2Fb%20~`));
  assert.ok(takes(LEAST));
  assert.ok(takes(WHOLE));
  for (const [name, value] of Object.entries({
    ...{
      text: 1,
      int: 1.5,
      long: '1',
      double: '1',
      date: '31.1.2026',
      datetime: '2026-01-31',
      boolean: 'true',
    },
    ...{ noderef: 'company-home', qname: '', many: [], place: 'garden', places: ['garden'], years: 7 },
    ...{ unknown: 1 },
  }))
    assert.ok(!takes({ ...WHOLE, [name]: value }), `${name}: ${JSON.stringify(value)}`);
  assert.ok(!takes({ int: 1 }));
  assert.ok(!takes([]));
});

test('parameters that are not named are taken where the definition allows them', async (t) => {
  assert.ok(judge(await schemaAt(await rich(t), `${ALL}/acme-free`))({ whatever: 1 }));
});

test('the schema of the list takes any of its actions by name, with the values of that one', async (t) => {
  const takes = judge(await schemaAt(await rich(t), ALL));
  assert.ok(takes({ actionDefinitionName: 'a/b ~', parameterValues: LEAST }));
  assert.ok(takes({ actionDefinitionName: 'acme-free' }));
  assert.ok(!takes({ actionDefinitionName: 'a/b ~' }));
  assert.ok(!takes({ actionDefinitionName: 'a/b ~', parameterValues: {} }));
  assert.ok(!takes({ actionDefinitionName: 'no-such', parameterValues: LEAST }));
  assert.ok(!takes({}));
});

test('the schema of a node has the actions that apply to it, whether explained or not', async (t) => {
  const service = await asking(t);
  await keep(service.service.store, aNode('a-folder', 'cm:folder'));
  const path = ofNode('a-folder');
  const { $defs } = await schemaAt(service, path);
  assert.deepEqual(Object.keys($defs).sort(), (await service.names(path)).toSorted());
  const { text } = await service.get(`${path}?format=schema&explain=true`);
  assert.deepEqual(JSON.parse(text).$defs, $defs);
});

test('an empty list has a schema that accepts nothing', async (t) => {
  const { at } = await folderOf(t, { 'own.json': { extends: 'none', definitions: [] } });
  const takes = judge(await schemaAt(await asking(t, { TESSERA_DEFINITIONS: at('own.json') }), ALL));
  assert.ok(!takes({ actionDefinitionName: 'copy' }));
  assert.ok(!takes({}));
});

test('an error to a caller who asked for a schema is a status document in json', async (t) => {
  const { get } = await asking(t);
  const { status, headers, text } = await get(`${ALL}/nothing?format=schema`);
  assert.equal(status, 404);
  assert.equal(headers['content-type'], 'application/json;charset=UTF-8');
  assert.equal(JSON.parse(text).status.code, 404);
});
