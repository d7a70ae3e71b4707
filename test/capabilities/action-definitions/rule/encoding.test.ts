import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDefinition, folderOf } from '../catalogue/documents.ts';
import { ALL, aNode, asking, keep, ofNode, ofPath } from './asking.ts';

/** Stored names, and ways to write them in a URL. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'two words': ['two%20words'],
  'a+b': ['a+b', 'a%2Bb', 'a%2bb'],
  'a/b': ['a%2Fb', 'a%2fb'],
  '100%': ['100%25'],
  '%2F': ['%252F'],
  'report.json': ['report.json', 'report%2Ejson'],
  'what?': ['what%3F'],
  '#1': ['%231'],
  'a&b=c;d': ['a&b=c;d', 'a%26b%3Dc%3Bd'],
  '..': ['..', '%2E%2E', '.%2e'],
  '.': ['.', '%2E'],
  actiondefs: ['actiondefs'],
  // Names are compared in NFC, so composed and decomposed ones are equal.
  'Übersicht.pdf': ['%C3%9Cbersicht.pdf', 'U%CC%88bersicht.pdf'],
  Ångström: ['%C3%85ngstr%C3%B6m', 'A%CC%8Angstro%CC%88m', '%E2%84%ABngstr%C3%B6m'],
  日本語: ['%E6%97%A5%E6%9C%AC%E8%AA%9E'],
  '😀': ['%F0%9F%98%80'],
  'null\u2028separator': ['null%E2%80%A8separator'],
  '"<&\'>': ['%22%3C&%27%3E', '%22%3C%26%27%3E'],
};

test('a name is found by its path, however it is encoded', async (t) => {
  const { names, get, service } = await asking(t);
  const nodes = Object.keys(NAMES).map((name, n) => aNode(`n${n}`, 'cm:content', { name }));
  await keep(service.store, ...nodes);
  for (const [name, spellings] of Object.entries(NAMES)) {
    for (const spelling of spellings) {
      const listed = await names(ofPath(`Company%20Home/Sites/${spelling}`));
      assert.ok(listed.includes('transform'), `${name} as ${spelling}`);
    }
  }
  assert.equal((await get(ofPath('Company%20Home/Sites/a/b'))).status, 404, 'a/b is one name, not two');
  assert.equal((await get(ofPath('Company%20Home/Sites/A+b'))).status, 404, 'names differ by case');
});

test('an id may span several segments, and a slash in it may be encoded', async (t) => {
  const { names, service } = await asking(t);
  await keep(service.store, aNode('a/b/c', 'cm:content'), aNode('ä ö', 'cm:content'));
  for (const id of ['a/b/c', 'a%2Fb%2Fc', 'a/b%2Fc', '%C3%A4%20%C3%B6'])
    assert.ok((await names(ofNode(id))).includes('transform'), id);
});

test('what looks like an extension is part of the path, since the format is chosen by an argument alone', async (t) => {
  const { at } = await folderOf(t, {
    'own.json': { definitions: [aDefinition('copy.json', { title: 'Copies JSON' })] },
  });
  const { get, names, service } = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  await keep(service.store, aNode('report.json', 'cm:content'), aNode('plan.xml', 'cm:content'));
  for (const path of [ofNode('report.json'), ofPath('Company%20Home/Sites/report.json')]) {
    const { headers } = await get(path);
    assert.equal(headers['content-type'], 'application/json;charset=UTF-8');
    assert.ok((await names(path)).includes('transform'));
  }
  for (const id of ['plan.xml', 'report.json']) {
    const { headers } = await get(`${ofNode(id)}?format=xml`);
    assert.equal(headers['content-type'], 'text/xml;charset=UTF-8');
  }
  const literal = await get(`${ALL}/copy.json`);
  assert.equal(JSON.parse(literal.text).title, 'Copies JSON');
  const inXml = await get(`${ALL}/copy.json?format=xml`);
  assert.match(inXml.text, /<name>copy\.json<\/name>/);
});

test('the argument chooses the format: empty is not given, another is refused, two that differ are refused', async (t) => {
  const { get } = await asking(t);
  const type = async (query: string) => (await get(`${ALL}${query}`)).headers['content-type'];
  for (const query of ['', '?', '?format=', '?format=json&', '?x=1&format=json&format=json'])
    assert.equal(await type(query), 'application/json;charset=UTF-8', query);
  assert.equal(await type('?format=xml'), 'text/xml;charset=UTF-8');
  assert.equal((await get(`${ALL}?format=html`)).status, 406);
  assert.equal((await get(`${ALL}?format=xml&format=json`)).status, 400);
});

test('a path may be deep, and its names long', async (t) => {
  const { get, names, service } = await asking(t);
  const depth = 60;
  const long = 'x'.repeat(120);
  const nodes = Array.from({ length: depth }, (_, n) =>
    aNode(`d${n}`, n === depth - 1 ? 'cm:content' : 'cm:folder', {
      name: `${long}${n}`,
      parent: n === 0 ? 'sites' : `d${n - 1}`,
    }),
  );
  await keep(service.store, ...nodes);
  const path = nodes.map(({ name }) => name).join('/');
  assert.ok((await names(ofPath(`Company%20Home/Sites/${path}`))).includes('transform'));
  assert.equal((await get(ofPath(`Company%20Home/Sites/${path}/more`))).status, 404);
});
