import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDefinition, folderOf } from '../catalogue/documents.ts';
import { ALL, aNode, asking, askingAs, keep, ofNode, ofPath } from './asking.ts';

/** Definitions that apply to content only. */
const OF_CONTENT = ['check-in', 'check-out', 'extract-metadata', 'transform', 'transform-image'];
/** Definitions that apply to no existing type. */
const OF_NOTHING = ['blog-post'];

const without = (names: readonly string[], gone: readonly string[]) =>
  names.filter((name) => !gone.includes(name));

test('any user gets all definitions, and the same as an administrator', async (t) => {
  const administrator = await asking(t);
  await administrator.service.addUser('ann');
  const user = await askingAs(administrator.service, 'ann');
  assert.equal((await user.names(ALL)).length, 18);
  for (const path of [ALL, `${ALL}/transform`, ofNode('sites'), ofPath('Company%20Home'), ofNode('none')]) {
    const [one, other] = [await user.get(path), await administrator.get(path)];
    assert.equal(one.status, other.status);
    assert.equal(one.headers.etag, other.headers.etag);
    if (one.status === 200) assert.equal(one.text, other.text);
  }
});

test('transform is a definition for content, without free properties', async (t) => {
  const { get } = await asking(t);
  const { status, text } = await get(`${ALL}/transform`);
  assert.equal(status, 200);
  const { name, applicableTypes, adhocPropertiesAllowed } = JSON.parse(text);
  assert.equal(name, 'transform');
  assert.ok(applicableTypes.includes('content'));
  assert.equal(adhocPropertiesAllowed, 'false');
});

test('a folder sees fewer definitions than there are: none of those for content', async (t) => {
  const { names } = await asking(t);
  const expected = without(await names(ALL), [...OF_CONTENT, ...OF_NOTHING]);
  assert.equal(expected.length, 12);
  assert.deepEqual(await names(ofNode('company-home')), expected);
  assert.deepEqual(await names(ofPath('Company%20Home')), expected);
  assert.deepEqual(await names(ofPath('Company%20Home/Sites')), expected, 'a subtype of folder as well');
});

test('every node of a fresh store is found by its id and by its path', async (t) => {
  const { get } = await asking(t);
  for (const [id, path] of [
    ['company-home', 'Company%20Home'],
    ['data-dictionary', 'Company%20Home/Data%20Dictionary'],
    ['guest-home', 'Company%20Home/Guest%20Home'],
    ['user-homes', 'Company%20Home/User%20Homes'],
    ['sites', 'Company%20Home/Sites'],
  ] as const) {
    const [byId, byPath] = [await get(ofNode(id)), await get(ofPath(path))];
    assert.equal(byId.status, 200, id);
    assert.equal(byPath.text, byId.text, path);
  }
});

/** Node types, and the definitions for content that apply to each. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  'cm:content': OF_CONTENT,
  'fm:post': OF_CONTENT,
  'bpm:startTask': OF_CONTENT,
  'cm:person': [],
  'cm:folder': [],
  'cm:systemfolder': [],
  'cm:cmobject': [],
  'sys:base': [],
  'acme:unknown': [],
  'cm:null': [],
};

for (const [type, seen] of Object.entries(TYPES)) {
  test(`a node of type ${type} sees ${seen.length === 0 ? 'nothing that is for content' : 'what is for content'}`, async (t) => {
    const { names, service } = await asking(t);
    await keep(service.store, aNode('it', type));
    const expected = [...without(await names(ALL), [...OF_CONTENT, ...OF_NOTHING]), ...seen].sort();
    assert.deepEqual(await names(ofNode('it')), expected);
    assert.deepEqual(await names(ofPath('Company%20Home/Sites/it')), expected);
  });
}

test('a definition for two types is seen by nodes of either, and of their subtypes', async (t) => {
  const own = aDefinition('own', { applicableTypes: ['acme:record', 'cm:person'] });
  const { at } = await folderOf(t, {
    'own.json': { extends: 'none', definitions: [own] },
    'model.json': {
      types: [
        { name: 'acme:record', parent: 'cm:content' },
        { name: 'acme:invoice', parent: 'acme:record' },
      ],
    },
  });
  const env = { TESSERA_DEFINITIONS: at('own.json'), TESSERA_MODEL: at('model.json') };
  const { names, service } = await asking(t, env);
  for (const type of ['acme:record', 'acme:invoice', 'cm:person']) {
    await keep(service.store, aNode('it', type));
    assert.deepEqual(await names(ofNode('it')), ['own'], type);
  }
  for (const type of ['cm:content', 'cm:authority', 'cm:folder']) {
    await keep(service.store, aNode('it', type));
    assert.deepEqual(await names(ofNode('it')), [], type);
  }
});

test('a node that changes its type or its place is seen so by the next request', async (t) => {
  const { names, get, service } = await asking(t);
  await keep(service.store, aNode('it', 'cm:content'));
  assert.ok((await names(ofNode('it'))).includes('transform'));
  await keep(service.store, aNode('it', 'cm:folder', { parent: 'guest-home' }));
  assert.ok(!(await names(ofNode('it'))).includes('transform'));
  assert.equal((await get(ofPath('Company%20Home/Sites/it'))).status, 404);
  assert.equal((await get(ofPath('Company%20Home/Guest%20Home/it'))).status, 200);
  await service.store.write((unit) => unit.nodes.remove('workspace://SpacesStore', 'it'));
  assert.equal((await get(ofNode('it'))).status, 404);
});

test('stores stand apart: the same id and path may name another node in each', async (t) => {
  const { names, get, service } = await asking(t);
  const archive = { store: 'archive://SpacesStore' };
  await keep(
    service.store,
    { ...archive, id: 'bin', type: 'cm:folder', name: 'Bin' },
    { ...archive, id: 'sites', type: 'cm:content', name: 'Sites', parent: 'bin' },
  );
  assert.ok((await names('/api/node/archive/SpacesStore/sites/actiondefs')).includes('transform'));
  assert.ok(!(await names(ofNode('sites'))).includes('transform'));
  assert.equal((await get('/api/path/archive/SpacesStore/Bin/Sites/actiondefs')).status, 200);
  assert.equal((await get('/api/path/archive/SpacesStore/Company%20Home/actiondefs')).status, 404);
});
