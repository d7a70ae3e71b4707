import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDefinition, folderOf } from '../catalogue/documents.ts';
import { asking } from './asking.ts';

const LIST = '/api/actionConstraints';
const V1 = '/alfresco/api/-default-/public/alfresco/versions/1/action-parameter-constraints';

const DOCUMENT = {
  constraints: [
    { name: 'acme years', values: [5, { value: 10, label: { en: 'ten', de: 'zehn' } }] },
    { name: 'acme-places', values: [{ value: 'workspace://SpacesStore/attic', label: 'Attic' }] },
  ],
  definitions: [
    aDefinition('acme-archive', {
      parameters: [{ name: 'place', type: 'd:text', constraint: 'acme-elsewhere' }],
    }),
  ],
};

test('a constraint is shown with its values and labels, by the web script and by v1', async (t) => {
  const { at } = await folderOf(t, { 'own.json': DOCUMENT });
  const { get } = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  const german = { 'accept-language': 'de' };
  const script = await get(`${LIST}/acme%20years`, german);
  assert.equal(script.status, 200);
  assert.deepEqual(JSON.parse(script.text), {
    data: {
      name: 'acme years',
      values: [
        { value: 5, displayLabel: '5' },
        { value: 10, displayLabel: 'zehn' },
      ],
    },
  });
  const v1 = await get(`${V1}/acme%20years`, german);
  assert.deepEqual(JSON.parse(v1.text), {
    entry: {
      constraintName: 'acme years',
      constraintValues: [
        { value: 5, label: '5' },
        { value: 10, label: 'zehn' },
      ],
    },
  });
});

test('v1 names a node by its id alone, the web script by its whole reference', async (t) => {
  const { at } = await folderOf(t, { 'own.json': DOCUMENT });
  const { get } = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  const { data } = JSON.parse((await get(`${LIST}/acme-places`)).text);
  assert.deepEqual(data.values, [{ value: 'workspace://SpacesStore/attic', displayLabel: 'Attic' }]);
  const { entry } = JSON.parse((await get(`${V1}/acme-places`)).text);
  assert.deepEqual(entry.constraintValues, [{ value: 'attic', label: 'Attic' }]);
});

test('a constraint that only a parameter names has no values, and one that nobody names is 404', async (t) => {
  const { at } = await folderOf(t, { 'own.json': DOCUMENT });
  const { get } = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  assert.deepEqual(JSON.parse((await get(`${LIST}/acme-elsewhere`)).text), {
    data: { name: 'acme-elsewhere', values: [] },
  });
  assert.deepEqual(JSON.parse((await get(`${V1}/acme-elsewhere`)).text), {
    entry: { constraintName: 'acme-elsewhere', constraintValues: [] },
  });
  for (const path of [LIST, V1]) assert.equal((await get(`${path}/acme-nothing`)).status, 404);
  const { error } = JSON.parse((await get(`${V1}/acme-nothing`)).text);
  assert.equal(error.errorKey, 'Action parameter constraints for name acme-nothing do not exist.');
  assert.equal(error.briefSummary, 'Action parameter constraint not found: acme-nothing');
});

test('the list has every constraint that is known, or the one that is asked for', async (t) => {
  const { at } = await folderOf(t, { 'own.json': DOCUMENT });
  const { get } = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  const listed = async (query = '') => {
    const { status, text } = await get(LIST + query);
    assert.equal(status, 200, text);
    return JSON.parse(text).data.map(({ name }: { name: string }) => name);
  };
  const all = [
    ...['ac-aspects', 'ac-compare-operations', 'ac-content-properties', 'ac-email-templates'],
    ...['ac-mimetypes', 'ac-properties', 'ac-scripts', 'ac-types'],
    ...['acme years', 'acme-elsewhere', 'acme-places'],
  ];
  assert.deepEqual(await listed(), all);
  assert.deepEqual(await listed('?name='), all);
  assert.deepEqual(await listed('?name=acme-places'), ['acme-places']);
  assert.deepEqual(await listed('?name=acme-nothing'), []);
});

test('every constraint that the reference has is known, whether definitions name it or not', async (t) => {
  const { get } = await asking(t);
  const { data } = JSON.parse((await get(LIST)).text);
  assert.deepEqual(
    data.map(({ name, values }: { name: string; values: unknown[] }) => [name, values.length]),
    [
      ...[['ac-aspects', 0]],
      ...[['ac-compare-operations', 8]],
      ...[['ac-content-properties', 3]],
      ...[['ac-email-templates', 0]],
      ...[['ac-mimetypes', 0]],
      ...[['ac-properties', 0]],
      ...[['ac-scripts', 0]],
      ...[['ac-types', 0]],
    ],
  );
});

test('an empty list of values makes a name known, and restricts nothing', async (t) => {
  const document = {
    constraints: [{ name: 'acme-known', values: [] }],
    definitions: [
      aDefinition('acme', { parameters: [{ name: 'p', type: 'd:text', constraint: 'acme-known' }] }),
    ],
  };
  const { at } = await folderOf(t, { 'own.json': document });
  const { get } = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  assert.deepEqual(JSON.parse((await get(`${LIST}/acme-known`)).text).data.values, []);
  const schema = JSON.parse((await get('/api/rules/actiondefs/acme?format=schema')).text);
  assert.equal(schema.properties.p.enum, undefined);
  assert.equal(schema.properties.p.description, 'One of the values of the constraint acme-known.');
});

test('an own document may replace a built-in constraint', async (t) => {
  const constraints = [{ name: 'ac-content-properties', values: ['SIZE'] }];
  const { at } = await folderOf(t, { 'own.json': { constraints, definitions: [] } });
  const { get } = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  assert.deepEqual(JSON.parse((await get(`${LIST}/ac-content-properties`)).text).data.values, [
    { value: 'SIZE', displayLabel: 'SIZE' },
  ]);
});

test('a caller who has the constraint already is answered 304', async (t) => {
  const { get } = await asking(t);
  for (const path of [`${LIST}/ac-content-properties`, `${V1}/ac-content-properties`, LIST]) {
    const { headers } = await get(path);
    const { status } = await get(path, { 'if-none-match': headers.etag });
    assert.equal(status, 304, path);
  }
});
