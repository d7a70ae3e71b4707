import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDefinition, faultsOf, folderOf } from '../catalogue/documents.ts';
import { asking } from './asking.ts';

const CONDITIONS = '/api/actionconditiondefinitions';

interface Condition {
  readonly name: string;
  readonly displayLabel: string | null;
  readonly parameterDefinitions: readonly Readonly<Record<string, unknown>>[];
}

const aCondition = (name: string, more: object = {}) => {
  const { applicableTypes: _, ...condition } = aDefinition(name);
  return { ...condition, ...more };
};

test('the conditions of the reference are listed, with its keys in its order', async (t) => {
  const { get } = await asking(t);
  const { status, text } = await get(CONDITIONS);
  assert.equal(status, 200);
  const { data }: { data: Condition[] } = JSON.parse(text);
  assert.deepEqual(
    data.map(({ name }) => name),
    [
      ...['compare-date-property', 'compare-integer-property', 'compare-mime-type', 'compare-property-value'],
      ...['compare-text-property', 'composite-condition', 'has-aspect', 'has-tag', 'in-category'],
      ...['is-subtype', 'no-condition'],
    ],
  );
  for (const condition of data)
    assert.deepEqual(Object.keys(condition), [
      ...['name', 'displayLabel', 'description', 'adHocPropertiesAllowed', 'parameterDefinitions'],
    ]);
  assert.deepEqual(data.find(({ name }) => name === 'has-aspect')?.parameterDefinitions, [
    {
      ...{ name: 'aspect', displayLabel: 'Aspect', type: 'd:qname', constraint: 'ac-aspects' },
      ...{ isMultiValued: false, isMandatory: true },
    },
  ]);
});

test('a document adds conditions and replaces built-in ones; with `extends` none its own are all there are', async (t) => {
  const own = [
    aCondition('has-tag', { title: 'Tagged' }),
    aCondition('acme-is-old', { title: { de: 'Alt' } }),
  ];
  for (const [extend, count] of [
    ['built-in', 12],
    ['none', 2],
  ] as const) {
    const document = { extends: extend, conditions: own, definitions: [] };
    const { at } = await folderOf(t, { 'own.json': document });
    const { get } = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
    const { data }: { data: Condition[] } = JSON.parse((await get(CONDITIONS)).text);
    assert.equal(data.length, count);
    assert.deepEqual(data[0], {
      ...{ name: 'acme-is-old', displayLabel: 'Alt', description: null },
      ...{ adHocPropertiesAllowed: false, parameterDefinitions: [] },
    });
    assert.equal(data.find(({ name }) => name === 'has-tag')?.displayLabel, 'Tagged');
  }
});

test('a faulty condition is reported with its place', async (t) => {
  const parameters = [{ name: 'p', type: 'd:int', constraint: 'places' }];
  const constraints = [{ name: 'places', values: ['attic'] }];
  const conditions = [aCondition('one', { parameters }), aCondition('one')];
  const { at } = await folderOf(t, { 'own.json': { constraints, conditions, definitions: [] } });
  const [unfit = '', twice = '', ...more] = faultsOf({ definitions: at('own.json') });
  assert.match(
    unfit,
    /\/conditions\/0\/parameters\/0\/constraint: "places" allows "attic", which is no d:int$/,
  );
  assert.match(twice, /\/conditions\/1\/name: "one" is defined twice$/);
  assert.deepEqual(more, []);
});

test('the types of rules are those of the reference', async (t) => {
  const { get } = await asking(t);
  const { status, text } = await get('/api/ruletypes');
  assert.equal(status, 200);
  const { data }: { data: Readonly<Record<string, string>>[] } = JSON.parse(text);
  assert.deepEqual(
    data.map(({ name, url }) => [name, url]),
    ['inbound', 'outbound', 'update'].map((name) => [name, `/api/ruletypes/${name}`]),
  );
  for (const type of data) assert.deepEqual(Object.keys(type), ['name', 'displayLabel', 'url']);
});
