import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDefinition, folderOf } from '../catalogue/documents.ts';
import { ALL, aNode, asking, keep, ofNode, ofPath } from './asking.ts';
import { parse } from './xml.ts';

interface Explained {
  readonly name: string;
  readonly applies: boolean;
  readonly whyNot?: string;
}

test('explained, the list has every definition, and says of each what the plain list says by leaving it out', async (t) => {
  const { service, get, list, names } = await asking(t);
  await keep(service.store, aNode('a-file', 'cm:content'), aNode('odd', 'acme:unknown'));
  for (const path of [ofNode('a-file'), ofNode('odd'), ofNode('sites'), ofPath('Company%20Home')]) {
    const explained: Explained[] = JSON.parse((await get(`${path}?explain=true`)).text);
    assert.deepEqual(
      explained.map(({ name }) => name),
      await names(ALL),
    );
    const applying = explained.filter(({ applies }) => applies);
    assert.deepEqual(
      applying.map(({ applies: _, ...definition }) => definition),
      await list(path),
    );
    for (const { name, applies, whyNot } of explained) {
      assert.equal(typeof applies, 'boolean');
      assert.equal(whyNot === undefined, applies, name);
    }
  }
});

test('the reason names the type of the node and those of the definition', async (t) => {
  const definitions = [
    aDefinition('for-content', { applicableTypes: ['cm:content'] }),
    aDefinition('for-nobody', { applicableTypes: ['acme:thing'] }),
    aDefinition('for-all'),
  ];
  const { at } = await folderOf(t, { 'own.json': { extends: 'none', definitions } });
  const { service, get } = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  await keep(service.store, aNode('a-folder', 'cm:folder'), aNode('odd', 'acme:unknown'));
  const reasons = async (id: string) => {
    const explained: Explained[] = JSON.parse((await get(`${ofNode(id)}?explain=true`)).text);
    return Object.fromEntries(explained.map(({ name, whyNot }) => [name, whyNot]));
  };
  assert.deepEqual(await reasons('a-folder'), {
    'for-all': undefined,
    'for-content': 'The node is of type cm:folder, which is not cm:content and does not descend from it.',
    'for-nobody': 'The definition applies to acme:thing, which the content model does not know.',
  });
  assert.deepEqual(await reasons('odd'), {
    'for-all': undefined,
    'for-content':
      'The content model does not know acme:unknown, the type of the node; the definition applies to cm:content.',
    'for-nobody':
      'The content model does not know acme:unknown, the type of the node; the definition applies to acme:thing.',
  });
});

test('xml explains the same', async (t) => {
  const { get } = await asking(t);
  const json: Explained[] = JSON.parse((await get(`${ofNode('sites')}?explain=true`)).text);
  const { children } = parse((await get(`${ofNode('sites')}?explain=true&format=xml`)).text);
  const textIn = (element: (typeof children)[number], name: string) =>
    element.children.find((child) => child.name === name)?.text;
  assert.deepEqual(
    children.map((element) => [
      textIn(element, 'name'),
      textIn(element, 'applies'),
      textIn(element, 'whyNot'),
    ]),
    json.map(({ name, applies, whyNot }) => [name, String(applies), whyNot]),
  );
});

test('false, empty or left out, nothing is explained', async (t) => {
  const { get } = await asking(t);
  const plain = (await get(ofNode('sites'))).text;
  for (const argument of ['explain=false', 'explain=', 'explain'])
    assert.equal((await get(`${ofNode('sites')}?${argument}`)).text, plain);
  assert.doesNotMatch(plain, /applies|whyNot/);
});

test('an answer is refused, and says what to mend, to another value and to a list that is of no node', async (t) => {
  const { get } = await asking(t);
  for (const [path, said] of [
    [`${ofNode('sites')}?explain=yes`, /explain \(true: /],
    [`${ALL}?explain=true`, /ask below \/api\/node or \/api\/path/],
  ] as const) {
    const { status, text } = await get(path);
    assert.equal(status, 400);
    assert.match(JSON.parse(text).message, said);
  }
});
