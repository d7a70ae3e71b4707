import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDefinition, folderOf } from '../../capabilities/action-definitions/catalogue/documents.ts';
import {
  ContentRepository,
  kept,
  READER,
} from '../../capabilities/action-definitions/nodes/content-repository.ts';
import { ALL, aNode, asking, keep, ofNode } from '../../capabilities/action-definitions/rule/asking.ts';
import { DEFINITIONS, definitionsOf } from './places.ts';

/** A definition in the v1 API. */
interface Entry {
  readonly entry: { readonly id: string };
}

const entriesIn = (text: string): Entry[] => JSON.parse(text).list.entries;
const idsIn = (text: string) => entriesIn(text).map(({ entry }) => entry.id);

/** Definitions of the built-in sets, byte by byte. */
const SHOWN: Readonly<Record<'3.2' | 'current', Readonly<Record<string, string>>>> = {
  '3.2': {
    'check-in':
      '{"id":"check-in","name":"check-in","title":"Check in content","description":"Checks the content back in.","applicableTypes":["cm:content"],"adhocPropertiesAllowed":false,"trackStatus":false,"parameterDefinitions":[{"name":"description","type":"d:text","multiValued":false,"mandatory":false}]}',
    counter:
      '{"id":"counter","name":"counter","title":"Increment Counter","adhocPropertiesAllowed":false,"trackStatus":false}',
  },
  current: {
    'add-features':
      '{"id":"add-features","name":"add-features","title":"Add aspect","description":"Puts an extra aspect on the item.","adhocPropertiesAllowed":true,"trackStatus":false,"parameterDefinitions":[{"name":"aspect-name","type":"d:qname","multiValued":false,"mandatory":true,"displayLabel":"Aspect","parameterConstraintName":"ac-aspects"}]}',
  },
};

for (const [generation, expected] of Object.entries(SHOWN)) {
  test(`a definition of ${generation} is shown to the byte, alone and in the list`, async (t) => {
    const { get } = await asking(t, { TESSERA_DEFINITIONS_GENERATION: generation });
    const list = await get(DEFINITIONS);
    for (const [id, entry] of Object.entries(expected)) {
      const { status, headers, text } = await get(`${DEFINITIONS}/${id}`);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'application/json;charset=UTF-8');
      assert.equal(text, `{"entry":${entry}}`);
      assert.ok(list.text.includes(text), `${id} looks the same in the list`);
    }
  });
}

test('the list holds what the web script lists, in the same order, for everything and for a node', async (t) => {
  const { get, names, service } = await asking(t);
  await keep(service.store, aNode('text', 'cm:content'), aNode('odd', 'acme:unknown'));
  assert.deepEqual(idsIn((await get(DEFINITIONS)).text), await names(ALL));
  for (const id of ['text', 'odd', 'sites', 'company-home'])
    assert.deepEqual(idsIn((await get(definitionsOf(id))).text), await names(ofNode(id)), id);
});

test('-root- is Company Home; -my- and -shared- are 404 until there are such nodes', async (t) => {
  const { get, service } = await asking(t);
  assert.equal((await get(definitionsOf('-root-'))).text, (await get(definitionsOf('company-home'))).text);
  for (const id of ['-my-', '-shared-', 'nothing']) {
    const { status, text } = await get(definitionsOf(id));
    assert.equal(status, 404);
    const { errorKey, briefSummary } = JSON.parse(text).error;
    assert.equal(errorKey, 'framework.exception.EntityNotFound');
    assert.equal(briefSummary, `Node not found: ${id}`);
  }
  await keep(service.store, aNode('-my-', 'cm:content'));
  assert.ok(idsIn((await get(definitionsOf('-my-'))).text).includes('check-in'));
});

test('-root- of a content repository is its root', async (t) => {
  const repository = await ContentRepository.start(t, kept('root-id', 'cm:folder', 'Home'));
  const { get } = await asking(t, {
    TESSERA_NODES: repository.url,
    TESSERA_NODES_USER: READER.name,
    TESSERA_NODES_PASSWORD: READER.password,
  });
  assert.equal((await get(definitionsOf('-root-'))).text, (await get(definitionsOf('root-id'))).text);
  assert.equal((await get(definitionsOf('-root-'))).status, 200);
  assert.equal((await get(definitionsOf('-my-'))).status, 404);
});

test('an unknown definition is 404 and named', async (t) => {
  const { get } = await asking(t);
  const { status, text } = await get(`${DEFINITIONS}/no%2Fsuch`);
  assert.equal(status, 404);
  assert.equal(JSON.parse(text).error.briefSummary, 'Action definition not found: no/such');
});

test('names of any kind lead to their definition, and labels come in the language asked for', async (t) => {
  const title = { en: 'Approve', de: 'Freigeben' };
  const own = aDefinition('own/näme.json', { title });
  const { folder } = await folderOf(t, { 'own.json': { definitions: [own] } });
  const { get } = await asking(t, { TESSERA_DEFINITIONS: folder });
  const path = `${DEFINITIONS}/own%2Fn%C3%A4me.json`;
  const { text, headers } = await get(path, { 'accept-language': 'de-AT, en;q=0.5' });
  assert.equal(JSON.parse(text).entry.title, 'Freigeben');
  assert.equal(headers['content-language'], 'de');
  assert.equal(JSON.parse((await get(path)).text).entry.title, 'Approve');
});
