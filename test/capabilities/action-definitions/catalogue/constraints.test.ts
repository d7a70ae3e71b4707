import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDefinition, faultsOf, folderOf, load } from './documents.ts';

const withParameter = (type: string, constraint: string) =>
  aDefinition('own', { parameters: [{ name: 'p', type, constraint }] });

test('a parameter has the values of the constraint that it names, whichever document defines it', async (t) => {
  const { folder } = await folderOf(t, {
    'a.json': { definitions: [withParameter('d:text', 'places')] },
    'b.json': {
      definitions: [],
      constraints: [{ name: 'places', values: ['attic', { value: 'cellar', label: { de: 'Keller' } }] }],
    },
  });
  const catalogue = load({ definitions: folder });
  assert.deepEqual(catalogue.find('own')?.parameters[0]?.allowed, [
    { value: 'attic' },
    { value: 'cellar', label: { de: 'Keller' } },
  ]);
  assert.ok(catalogue.languages.includes('de'));
});

test('a constraint that no document defines is kept by name: its values are known elsewhere', async (t) => {
  const { at } = await folderOf(t, { 'a.json': { definitions: [withParameter('d:text', 'elsewhere')] } });
  const [parameter] = load({ definitions: at('a.json') }).find('own')?.parameters ?? [];
  assert.equal(parameter?.constraint, 'elsewhere');
  assert.equal(parameter?.allowed, undefined);
});

test('a value that a parameter cannot have is reported with its place', async (t) => {
  for (const [type, value] of [
    ['d:int', 'five'],
    ['d:int', 1.5],
    ['d:double', true],
    ['d:boolean', 'true'],
    ['d:text', 5],
    ['d:int', 2 ** 31],
    ['d:int', -(2 ** 31) - 1],
    ['d:noderef', 'attic'],
    ['d:category', 'workspace://SpacesStore'],
    ['d:qname', '{cm:titled'],
    ['d:date', 'tomorrow'],
    ['d:date', '2026-01-31T00:00:00Z'],
    ['d:date', 2026],
    ['d:date', '2026-01'],
    ['d:date', '2026-02-31'],
    ['d:date', '2026-99-99'],
    ['d:datetime', '2026-01-31'],
    ['d:datetime', '2026-02-31T00:00:00Z'],
    ['d:datetime', '2026-01-31T24:00:00Z'],
  ] as const) {
    const { at } = await folderOf(t, {
      'a.json': { constraints: [{ name: 'c', values: [value] }], definitions: [withParameter(type, 'c')] },
    });
    const [fault = ''] = faultsOf({ definitions: at('a.json') });
    assert.match(fault, /\/definitions\/0\/parameters\/0\/constraint: "c" allows .* which is no d:/);
    assert.ok(fault.includes(JSON.stringify(value)));
  }
});

test('two constraints of one name are a fault', async (t) => {
  const one = { name: 'c', values: ['a'] };
  const { at } = await folderOf(t, { 'a.json': { constraints: [one, one], definitions: [] } });
  assert.match(
    faultsOf({ definitions: at('a.json') })[0] ?? '',
    /\/constraints\/1\/name: "c" is defined twice/,
  );
});

test('a value that a parameter can have is accepted', async (t) => {
  for (const [type, value] of [
    ['d:int', 2 ** 31 - 1],
    ['d:int', -(2 ** 31)],
    ['d:long', 2 ** 31],
    ['d:noderef', 'workspace://SpacesStore/company-home'],
    ['d:category', 'workspace://SpacesStore/cm:region'],
    ['d:qname', 'cm:titled'],
    ['d:qname', '{http://www.alfresco.org/model/content/1.0}titled'],
    ['d:date', '2026-01-31'],
    ['d:datetime', '2026-01-31T00:00:00.000+01:00'],
    ['d:any', true],
  ] as const) {
    const { at } = await folderOf(t, {
      'a.json': { constraints: [{ name: 'c', values: [value] }], definitions: [withParameter(type, 'c')] },
    });
    assert.deepEqual(load({ definitions: at('a.json') }).find('own')?.parameters[0]?.allowed, [{ value }]);
  }
});

test('a value that a constraint allows twice is a fault, and values that only look alike are none', async (t) => {
  const { at } = await folderOf(t, {
    'a.json': {
      constraints: [{ name: 'c', values: [{ value: 5, label: 'five' }, '5', 5, true, 'true'] }],
      definitions: [],
    },
  });
  const [fault = '', ...more] = faultsOf({ definitions: at('a.json') });
  assert.deepEqual(more, []);
  assert.match(fault, /\/constraints\/0\/values\/2: "c" allows 5 twice$/);
});
