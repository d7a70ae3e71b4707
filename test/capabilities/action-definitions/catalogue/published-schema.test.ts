import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { aDefinition } from './documents.ts';

const jsonAt = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8'));

const schemas = {
  definitions: Compile(jsonAt('docs/reference/action-definitions.schema.json')),
  model: Compile(jsonAt('docs/reference/content-model.schema.json')),
};

test('the built-in documents follow the published schemas', () => {
  const folder = 'src/capabilities/action-definitions/catalogue/builtin';
  const files = readdirSync(new URL(`../../../../${folder}`, import.meta.url));
  assert.deepEqual(files.sort(), [
    'conditions.json',
    'definitions-3.2.json',
    'definitions-current.json',
    'model.json',
  ]);
  for (const file of files) {
    const schema = file === 'model.json' ? schemas.model : schemas.definitions;
    assert.deepEqual([...schema.Errors(jsonAt(`${folder}/${file}`))], [], file);
  }
});

test('a document may name the schema that it follows', () => {
  assert.ok(schemas.definitions.Check({ $schema: 'action-definitions.schema.json', definitions: [] }));
  assert.ok(schemas.model.Check({ $schema: 'content-model.schema.json', types: [] }));
});

test('the published schemas refuse what loading refuses', () => {
  for (const definition of [
    aDefinition(''),
    aDefinition('a', { adHocPropertiesAllowed: 'true' }),
    aDefinition('a', { applicableTypes: ['content'] }),
    aDefinition('a', { title: { 'no language': 'A' } }),
    aDefinition('a', { more: 1 }),
    aDefinition('a', { parameters: [{ name: 'p', type: 'd:string' }] }),
  ])
    assert.ok(!schemas.definitions.Check({ definitions: [definition] }), JSON.stringify(definition));
  assert.ok(!schemas.definitions.Check({ definitions: [], language: 'no language' }));
  assert.ok(!schemas.definitions.Check({ definitions: [], extends: 'all' }));
  assert.ok(!schemas.model.Check({ types: [{ name: 'content' }] }));
});
