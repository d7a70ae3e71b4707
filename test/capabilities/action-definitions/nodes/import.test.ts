import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WELL_KNOWN_NODES } from '../../../../src/capabilities/action-definitions/domain/node.ts';
import { aLine, freshStore, importInto, nodeIn, nodesIn } from './import-lines.ts';

test('a line adds a node, and the same line again changes nothing', async (t) => {
  const store = freshStore(t);
  for (const _ of [1, 2]) {
    const { imported, refused, withheld } = await importInto(store, [aLine('a')]);
    assert.deepEqual({ imported, refused, withheld }, { imported: 1, refused: 0, withheld: 0 });
    assert.equal((await nodesIn(store)).length, WELL_KNOWN_NODES.length + 1);
  }
});

test('a line with a known id changes type, name and place of its node', async (t) => {
  const store = freshStore(t);
  await importInto(store, [aLine('a'), aLine('below', { parent: 'a' })]);
  await importInto(store, [aLine('a', { type: 'cm:content', name: 'renamed', parent: 'guest-home' })]);
  const node = await nodeIn(store, 'a');
  assert.deepEqual([node?.type, node?.name, node?.parent], ['cm:content', 'renamed', 'guest-home']);
  assert.equal((await nodeIn(store, 'below'))?.parent, 'a', 'what lies in it moves along');
});

test('a node without a parent is the root of a new store, whether parent is null or left out', async (t) => {
  const store = freshStore(t);
  const root = (name: string, more: object) =>
    aLine('top', { store: name, name: 'Top', parent: undefined, ...more });
  const { imported } = await importInto(store, [
    aLine('below', { store: 'archive://One', parent: 'top' }),
    root('archive://One', { parent: null }),
    root('archive://Two', {}),
  ]);
  assert.equal(imported, 3);
  for (const name of ['archive://One', 'archive://Two'])
    assert.equal((await store.read((unit) => unit.nodes.root(name)))?.id, 'top');
});

test('the root may be renamed, and neither moved nor joined by a second one', async (t) => {
  const store = freshStore(t);
  await importInto(store, [aLine('company-home', { name: 'Firmenablage', parent: null })]);
  assert.equal((await nodeIn(store, 'company-home'))?.name, 'Firmenablage');
  const moved = await importInto(store, [aLine('company-home', { parent: 'sites' })]);
  assert.match(moved.lines[0]?.why ?? '', /is the root of workspace:\/\/SpacesStore and cannot be moved/);
  const second = await importInto(store, [aLine('top', { parent: null })]);
  assert.match(second.lines[0]?.why ?? '', /has a root already, "company-home"/);
  const promoted = await importInto(store, [aLine('sites', { parent: null })]);
  assert.equal(promoted.refused, 1);
  assert.equal((await nodeIn(store, 'sites'))?.parent, 'company-home');
});

test('a name is taken once in a node: refused for a second, whatever its composition, and free elsewhere', async (t) => {
  const store = freshStore(t);
  await importInto(store, [aLine('a', { name: '\u00dcbersicht' })]);
  for (const name of ['\u00dcbersicht', 'U\u0308bersicht']) {
    const { lines, imported } = await importInto(store, [aLine('b', { name })]);
    assert.equal(imported, 0);
    assert.match(lines[0]?.why ?? '', /"sites" has a node called "\u00dcbersicht" already, "a"/);
  }
  const { imported } = await importInto(store, [
    aLine('b', { name: '\u00fcbersicht' }),
    aLine('c', { name: '\u00dcbersicht', parent: 'guest-home' }),
  ]);
  assert.equal(imported, 2);
});

test('two lines that give one name to two nodes refuse the second', async (t) => {
  const store = freshStore(t);
  const { imported, lines } = await importInto(
    store,
    [aLine('a', { name: 'x' }), aLine('b', { name: 'x' })],
    1,
  );
  assert.equal(imported, 1);
  assert.deepEqual(
    lines.map(({ number }) => number),
    [2],
  );
});

test('names are kept as NFC', async (t) => {
  const store = freshStore(t);
  await importInto(store, [aLine('a', { name: 'A\u030angstro\u0308m' })]);
  assert.equal((await nodeIn(store, 'a'))?.name, '\u00c5ngstr\u00f6m');
});

test('a node cannot lie in itself, neither at once nor by way of others', async (t) => {
  const store = freshStore(t);
  await importInto(store, [aLine('a'), aLine('b', { parent: 'a' }), aLine('c', { parent: 'b' })]);
  for (const parent of ['a', 'b', 'c']) {
    const { lines } = await importInto(store, [aLine('a', { parent })]);
    assert.match(lines[0]?.why ?? '', /"a" would lie in itself/, parent);
  }
  assert.equal((await nodeIn(store, 'a'))?.parent, 'sites');
});

test('new nodes that lie in each other are refused, each by its line', async (t) => {
  const store = freshStore(t);
  const { imported, lines } = await importInto(store, [
    aLine('a', { parent: 'c' }),
    aLine('b', { parent: 'a' }),
    aLine('fine'),
    aLine('c', { parent: 'b' }),
    aLine('self', { parent: 'self' }),
  ]);
  assert.equal(imported, 1);
  assert.deepEqual(lines.map(({ number }) => number).sort(), [1, 2, 4, 5]);
  for (const { why } of lines) assert.match(why, /cycle/);
  assert.equal(await nodeIn(store, 'a'), undefined);
});

test('a node whose parent is missing is refused, and so is what lies in it', async (t) => {
  const store = freshStore(t);
  const { imported, lines } = await importInto(store, [
    aLine('below', { parent: 'orphan' }),
    aLine('orphan', { parent: 'nowhere' }),
    aLine('fine'),
  ]);
  assert.equal(imported, 1);
  assert.deepEqual(lines.map(({ number, why }) => [number, /parent "(.*?)"/.exec(why)?.[1]]).sort(), [
    [1, 'orphan'],
    [2, 'nowhere'],
  ]);
});

test('a parent in another store is missing', async (t) => {
  const store = freshStore(t);
  const { lines } = await importInto(store, [aLine('a', { store: 'archive://Other' })]);
  assert.match(lines[0]?.why ?? '', /parent "sites" is missing/);
});

/** Lines that are no nodes, and the message for each. */
const BAD: readonly (readonly [text: string, why: RegExp])[] = [
  ['{', /is not JSON/],
  ['nonsense', /is not JSON/],
  [`${aLine('x')}${aLine('y')}`, /is not JSON/],
  ['[]', /no JSON object/],
  ['"text"', /no JSON object/],
  ['null', /no JSON object/],
  ['5', /no JSON object/],
  ['{"\\u001b[2J":1}', /has a member that nodes do not have/],
  ['{}', /has no "store"/],
  [aLine('x', { store: undefined }), /has no "store"/],
  [aLine('x', { id: undefined }), /has no "id"/],
  [aLine('x', { type: undefined }), /has no "type"/],
  [aLine('x', { name: undefined }), /has no "name"/],
  [aLine('x', { store: 'SpacesStore' }), /"store" is not of the form/],
  [aLine('x', { id: 5 }), /"id" is not of the form/],
  [aLine(''), /"id" is not of the form|"name" is not of the form/],
  [aLine(' x'), /"id" is not of the form/],
  [aLine('x', { type: 'folder' }), /"type" is not of the form/],
  [aLine('x', { name: '' }), /"name" is not of the form/],
  [aLine('x', { name: 'a\u0000b' }), /"name" is not of the form/],
  [aLine('x\ud800'), /"id" is not of the form/],
  [aLine('\udc00x'), /"id" is not of the form/],
  [aLine('x\ud800', { id: 'x' }), /"name" is not of the form/],
  [aLine('x', { parent: 'x\ud800' }), /"parent" is not of the form/],
  [aLine('x', { store: 'archive://x\ud800' }), /"store" is not of the form/],
  [aLine('a\u0000b', { name: 'x' }), /"id" is not of the form/],
  [aLine('x').replace('"name"', '"name":"n3","name"'), /has a member twice, with different values/],
  [aLine('x', { name: 'a\nb' }), /"name" is not of the form/],
  [aLine('x', { name: ['x'] }), /"name" is not of the form/],
  [aLine('x', { name: 'x'.repeat(1_025) }), /"name" is longer than 1,024 bytes/],
  [aLine('x', { name: '日'.repeat(342) }), /"name" is longer than 1,024 bytes/],
  [aLine('x', { name: '\u0958'.repeat(200) }), /"name" is longer than 1,024 bytes/],
  [aLine('日'.repeat(342), { name: 'x' }), /"id" is longer than 1,024 bytes/],
  [aLine('x', { parent: '' }), /"parent" is not of the form/],
  [aLine('x', { parent: 7 }), /"parent" is not of the form/],
  [aLine('x', { title: 'X' }), /has a member "title"/],
  [aLine('x', { constructor: 1 }), /has a member "constructor"/],
  ['{"__proto__": {}}', /has a member "__proto__"/],
];

test('a bad line is refused with its number and the reason', async (t) => {
  const store = freshStore(t);
  for (const [text, why] of BAD) {
    const { imported, refused, lines } = await importInto(store, ['', aLine('fine'), text], 1);
    assert.deepEqual({ imported, refused }, { imported: 1, refused: 1 }, text);
    assert.equal(lines[0]?.number, 3, text);
    assert.match(lines[0]?.why ?? '', why, text);
  }
  assert.equal((await nodesIn(store)).length, WELL_KNOWN_NODES.length + 1);
});

test('a name of 1,024 bytes is fine, and so are characters of any script', async (t) => {
  const store = freshStore(t);
  const names = ['x'.repeat(1_024), '日'.repeat(341), '日本語', '😀', ' ', 'a/b', '"', '\u2028', '..'];
  const { imported } = await importInto(
    store,
    names.map((name, n) => aLine(`n${n}`, { name })),
  );
  assert.equal(imported, names.length);
});

test('of a batch with a refused line nothing is imported, and other batches are', async (t) => {
  const store = freshStore(t);
  const texts = [
    ...[aLine('a1'), aLine('a2'), aLine('a3')],
    ...[aLine('b1'), 'nonsense', aLine('b3', { type: 'none' })],
    ...[aLine('c1', { name: 'a1' }), aLine('c2'), aLine('c3')],
    ...[aLine('d1')],
  ];
  const { imported, refused, withheld, lines } = await importInto(store, texts, 3);
  assert.deepEqual({ imported, refused, withheld }, { imported: 4, refused: 3, withheld: 3 });
  assert.deepEqual(
    lines.map(({ number }) => number),
    [5, 6, 7],
  );
  const there = (await nodesIn(store)).map(({ id }) => id).filter((id) => /^[a-d]\d$/.test(id));
  assert.deepEqual(there.sort(), ['a1', 'a2', 'a3', 'd1']);
});

test('every refused line of a batch is told at once', async (t) => {
  const store = freshStore(t);
  const texts = [
    aLine('a', { name: 'Sites', parent: 'company-home' }),
    aLine('b'),
    aLine('c', { name: 'Guest Home', parent: 'company-home' }),
  ];
  const { lines, withheld } = await importInto(store, texts);
  assert.deepEqual(
    lines.map(({ number }) => number),
    [1, 3],
  );
  assert.equal(withheld, 1);
});

test('empty lines count as lines and for nothing else', async (t) => {
  const store = freshStore(t);
  const { imported, lines } = await importInto(
    store,
    ['', aLine('a'), '   ', '\t', aLine('b'), '', 'bad'],
    1,
  );
  assert.equal(imported, 2);
  assert.deepEqual(lines, [{ number: 7, why: 'is not JSON' }]);
  assert.equal((await importInto(store, [])).imported, 0);
});
