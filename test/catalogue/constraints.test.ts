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

test('a value that a parameter cannot have is told with its place', async (t) => {
  for (const [type, value] of [
    ['d:int', 'five'],
    ['d:int', 1.5],
    ['d:double', true],
    ['d:boolean', 'true'],
    ['d:text', 5],
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
