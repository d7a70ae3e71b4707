import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { aDefinition, folderOf, load, namesIn } from './documents.ts';

const builtIn = namesIn(load());

test('a document adds its definitions to the built-in ones, and the list stays sorted by name', async (t) => {
  const { at } = await folderOf(t, {
    'own.json': { definitions: [aDefinition('zip'), aDefinition('archive'), aDefinition('check-out-all')] },
  });
  const names = namesIn(load({ definitions: at('own.json') }));
  assert.deepEqual(names, [...builtIn, 'archive', 'check-out-all', 'zip'].sort());
});

test('a definition with the name of a built-in one stands in its place, whole', async (t) => {
  const own = aDefinition('mail', { title: 'Send a letter', applicableTypes: ['cm:content'] });
  const { at } = await folderOf(t, { 'own.json': { definitions: [own] } });
  const catalogue = load({ definitions: at('own.json') });
  assert.deepEqual(namesIn(catalogue), builtIn);
  const mail = catalogue.find('mail');
  assert.equal(mail?.title, 'Send a letter');
  assert.equal(mail?.description, undefined);
  assert.deepEqual(mail?.applicableTypes, ['cm:content']);
  assert.deepEqual(mail?.parameters, []);
});

test('a document that extends none replaces the built-in set', async (t) => {
  const { at } = await folderOf(t, {
    'own.json': { extends: 'none', definitions: [aDefinition('only')] },
    'nothing.json': { extends: 'none', definitions: [] },
  });
  assert.deepEqual(namesIn(load({ definitions: at('own.json') })), ['only']);
  assert.deepEqual(namesIn(load({ definitions: at('nothing.json') })), []);
});

test('documents may say that they extend the built-in set, and which schema they follow', async (t) => {
  const document = { $schema: 'somewhere', extends: 'built-in', definitions: [aDefinition('own')] };
  const { at } = await folderOf(t, { 'own.json': document });
  assert.equal(namesIn(load({ definitions: at('own.json') })).length, builtIn.length + 1);
});

test('an added definition stands beside whichever built-in set is chosen', async (t) => {
  const { at } = await folderOf(t, { 'own.json': { definitions: [aDefinition('own')] } });
  const current = namesIn(load({ generation: 'current' }));
  const names = namesIn(load({ generation: 'current', definitions: at('own.json') }));
  assert.deepEqual(names, [...current, 'own'].sort());
});

test('of a folder every .json document counts, and nothing else', async (t) => {
  const { folder, at } = await folderOf(t, {
    '10-first.json': { definitions: [aDefinition('first')] },
    '20-second.json': { definitions: [aDefinition('second')] },
    'notes.txt': 'no document',
    'draft.json~': '{',
  });
  mkdirSync(at('deeper'));
  assert.deepEqual(namesIn(load({ definitions: folder })), [...builtIn, 'first', 'second'].sort());
});

test('one document in a folder that extends none replaces the built-in set for all of them', async (t) => {
  const { folder } = await folderOf(t, {
    'a.json': { definitions: [aDefinition('one')] },
    'b.json': { extends: 'none', definitions: [aDefinition('two')] },
  });
  assert.deepEqual(namesIn(load({ definitions: folder })), ['one', 'two']);
});

test('an empty folder leaves the built-in set as it is', async (t) => {
  const { folder } = await folderOf(t, {});
  assert.deepEqual(namesIn(load({ definitions: folder, model: folder })), builtIn);
});

test('of a parameter, name and type are enough: it is neither mandatory nor multi-valued then', async (t) => {
  const parameters = [{ name: 'to', type: 'd:text' }];
  const { at } = await folderOf(t, { 'own.json': { definitions: [aDefinition('own', { parameters })] } });
  assert.deepEqual(load({ definitions: at('own.json') }).find('own')?.parameters, [
    { name: 'to', type: 'd:text', multiValued: false, mandatory: false },
  ]);
});

test('own types descend from built-in ones and from each other, in whatever order and file they stand', async (t) => {
  const { folder } = await folderOf(t, {
    'a.json': { types: [{ name: 'acme:invoice', parent: 'acme:record' }] },
    'b.json': { types: [{ name: 'acme:thing' }, { name: 'acme:record', parent: 'cm:content' }] },
  });
  const catalogue = load({ model: folder });
  assert.deepEqual(
    [...(catalogue.model.get('acme:invoice') ?? [])],
    ['acme:invoice', 'acme:record', 'cm:content', 'cm:cmobject', 'sys:base'],
  );
  const names = (type: string) => catalogue.applyingTo(type).map(({ name }) => name);
  assert.deepEqual(names('acme:invoice'), names('cm:content'));
  assert.ok(names('acme:invoice').length > names('acme:thing').length);
});

test('a model that extends none leaves no built-in type, so definitions that name one apply to nothing', async (t) => {
  const { at } = await folderOf(t, { 'own.json': { extends: 'none', types: [{ name: 'acme:thing' }] } });
  const catalogue = load({ model: at('own.json') });
  assert.deepEqual([...catalogue.model.keys()], ['acme:thing']);
  const everyType = catalogue.definitions.filter(({ applicableTypes }) => applicableTypes.length === 0);
  assert.deepEqual(catalogue.applyingTo('cm:content'), everyType);
});

test('a definition may name a type that the model does not know: it is listed, and applies to no node', async (t) => {
  const own = aDefinition('own', { applicableTypes: ['acme:unknown'] });
  const { at } = await folderOf(t, { 'own.json': { definitions: [own] } });
  const catalogue = load({ definitions: at('own.json') });
  assert.ok(namesIn(catalogue).includes('own'));
  for (const type of [...catalogue.model.keys(), 'acme:unknown'])
    assert.ok(!catalogue.applyingTo(type).some(({ name }) => name === 'own'), type);
});
