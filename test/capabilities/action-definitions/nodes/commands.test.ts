import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../../faces/cli/command.ts';
import { afterwards } from '../../../service/afterwards.ts';
import { asking, ofNode } from '../rule/asking.ts';
import { onFolder, text } from './command-line.ts';
import { aLine } from './import-lines.ts';

test('nodes show tells a node by its id or by its path', async (t) => {
  const { nodes } = await onFolder(t);
  const expected = {
    store: 'workspace://SpacesStore',
    id: 'sites',
    type: 'st:sites',
    name: 'Sites',
    parent: 'company-home',
  };
  for (const words of [['workspace://SpacesStore/sites'], ['--path', 'Company Home/Sites']]) {
    const { stdout, code } = await nodes(['show', ...words, '--json']);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), [expected]);
    const table = await nodes(['show', ...words]);
    for (const value of Object.values(expected)) assert.ok(table.stdout.includes(value));
  }
});

/** Nodes that cannot be shown or removed, with the message and the exit code. */
const WRONG: readonly (readonly [words: readonly string[], said: RegExp, code: number])[] = [
  [['workspace://SpacesStore/none'], /^Node not found: none\.\n$/, 1],
  [['archive://SpacesStore/sites'], /^Store not found: archive:\/\/SpacesStore\.\n$/, 1],
  [['--path', 'Company Home/None/Deeper'], /^Path not found: "None" in Company Home\.\n$/, 1],
  [['--path', 'None'], /^Path not found: "None"\.\n$/, 1],
  [['--path', 'Company Home', '--store', 'archive://Bin'], /^Store not found: archive:\/\/Bin\.\n$/, 1],
  [['--path', '/'], /^(?!.*undefined).+\n$/, 2],
  [[], /^Name a node by STORE\/ID or by --path\.\n$/, 2],
  [
    ['workspace://SpacesStore/sites', '--path', 'Company Home'],
    /^Name a node by STORE\/ID or by --path\.\n$/,
    2,
  ],
  [['sites'], /^"sites" is no node: /, 2],
];

test('a node that is not there, or is not named, is told with the exit code that says which', async (t) => {
  const { nodes } = await onFolder(t);
  for (const [words, said, code] of WRONG) {
    const ended = await nodes(['show', ...words]);
    assert.match(ended.stderr, said);
    assert.deepEqual([ended.stdout, ended.code], ['', code], ended.stderr);
  }
  const removed = await nodes(['remove', 'workspace://SpacesStore/none']);
  assert.deepEqual([removed.stderr, removed.code], ['Node not found: none.\n', 1]);
});

test('nodes remove takes a node away, one with nodes in it only when told so', async (t) => {
  const { nodes } = await onFolder(t);
  await nodes(['import', '-'], text(aLine('a'), aLine('b', { parent: 'a' }), aLine('c', { parent: 'b' })));
  const refused = await nodes(['remove', 'workspace://SpacesStore/a']);
  assert.deepEqual([refused.stdout, refused.code], ['', 1]);
  assert.match(refused.stderr, /nodes lie in "a".*--recursive/);
  assert.equal((await nodes(['show', 'workspace://SpacesStore/c'])).code, 0);

  const one = await nodes(['remove', '--path', 'Company Home/Sites/a/b/c']);
  assert.deepEqual([one.stdout, one.code], ['Removed 1 node.\n', 0]);
  const rest = await nodes(['remove', 'workspace://SpacesStore/a', '--recursive']);
  assert.deepEqual([rest.stdout, rest.code], ['Removed 2 nodes.\n', 0]);
  for (const id of ['a', 'b', 'c'])
    assert.equal((await nodes(['show', `workspace://SpacesStore/${id}`])).code, 1);
  assert.equal((await nodes(['show', 'workspace://SpacesStore/sites'])).code, 0);
});

test('import reads standard input, and lines that end as elsewhere', async (t) => {
  const { nodes } = await onFolder(t);
  const { stdout, stderr, code } = await nodes(
    ['import', '-'],
    `\r\n${aLine('a')}\r\n\r\n${aLine('b')}\n${aLine('c')}`,
  );
  assert.deepEqual([stdout, stderr, code], ['Imported 3 nodes.\n', '', 0]);
});

test('import tells each refused line by its number in the file, and what to do', async (t) => {
  const { nodes } = await onFolder(t);
  const { stdout, stderr, code } = await nodes(
    ['import', '-', '--batch', '2'],
    text(aLine('a'), '', aLine('b'), aLine('c', { type: 'x' }), aLine('d'), aLine('e', { parent: 'none' })),
  );
  assert.equal(code, 1);
  assert.equal(stdout, 'Imported 2 nodes.\n');
  assert.match(
    stderr,
    /^line 4: "type" is not of the form: .*\nline 6: parent "none" is missing.*\nRefused 2 lines\. 1 more shared a batch .*\n$/,
  );
});

test('what import, show and export print of a node moves no terminal', async (t) => {
  const { nodes } = await onFolder(t);
  const store = 'a://\u001b]0;x\u0007b';
  const refused = await nodes(['import', '-'], text(aLine('a', { store, parent: null })));
  assert.match(refused.stderr, /^line 1: "store" is not of the form/);
  const name = 'x\u007f\u009b2J';
  const imported = await nodes(
    ['import', '-', '--batch', '1'],
    text(aLine('b', { name }), aLine('c', { name })),
  );
  assert.match(imported.stderr, /^line 2: "sites" has a node called "x\\u007f\\u009b2J" already, "b"\n/);
  const shown = [
    await nodes(['show', 'workspace://SpacesStore/b']),
    await nodes(['show', 'workspace://SpacesStore/b', '--json']),
  ];
  const exported = await nodes(['export']);
  for (const { stdout, stderr } of [refused, imported, ...shown, exported])
    assert.doesNotMatch(stdout + stderr, /(?!\n)\p{Cc}/u);
  assert.equal(JSON.parse(shown[1]?.stdout ?? '')[0].name, name);
  const lines = exported.stdout.split('\n').slice(0, -1);
  assert.ok(lines.some((line) => JSON.parse(line).name === name));
});

test('import says what it cannot read, and what is no size of a batch', async (t) => {
  const { nodes, data } = await onFolder(t);
  const absent = await nodes(['import', 'nothing.ndjson']);
  assert.match(absent.stderr, /^nothing\.ndjson cannot be read: /);
  assert.equal(absent.code, 1);
  const folder = await nodes(['import', data]);
  assert.match(folder.stderr, /cannot be read/);
  assert.ok(!folder.stderr.includes('    at '), folder.stderr);
  assert.equal(folder.code, 1);
  const socket = join(data, 'socket');
  const listening = createServer().listen(socket);
  afterwards(t, () => listening.close());
  const notOpened = await nodes(['import', socket]);
  assert.match(notOpened.stderr, /^.*socket cannot be read: ENXIO.*\n$/);
  assert.equal(notOpened.code, 1);
  for (const size of ['0', '-1', '1.5', 'many']) {
    const { stderr, code } = await nodes(['import', '-', '--batch', size]);
    assert.match(stderr, /--batch/);
    assert.equal(code, 2, size);
  }
});

test('what one store exports another imports, whatever characters its names are made of', async (t) => {
  const [from, to] = [await onFolder(t), await onFolder(t)];
  const names = [
    'two words',
    '\u00e4\u00d6',
    '\u2028',
    'a\u2029b',
    '\u0085',
    '"\\',
    '\u{1F600}',
    '\u007f',
    '\ufeff',
    'a/b',
  ];
  const lines = names.map((name, n) => aLine(`n${n}`, { name }));
  const other = [
    aLine('top', { store: 'archive://Bin', parent: null }),
    aLine('in it', { store: 'archive://Bin', parent: 'top', type: 'cm:content' }),
  ];
  // Escaped, so that the characters survive however lines are split.
  const escaped = text(...lines, ...other).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  assert.equal((await from.nodes(['import', '-'], escaped)).code, 0);
  const exported = await from.nodes(['export']);
  assert.equal(exported.code, 0);
  assert.equal(exported.stdout.split('\n').length - 1, names.length + other.length + 5);
  const imported = await to.nodes(['import', '-'], exported.stdout);
  assert.deepEqual([imported.stderr, imported.code], ['', 0]);
  assert.equal((await to.nodes(['export'])).stdout, exported.stdout);
});

test('bytes that are no UTF-8 are refused with their line: no name is kept that nobody gave', async (t) => {
  const { nodes } = await onFolder(t);
  const latin1 = Buffer.from(text(aLine('caf\u00e9')), 'latin1');
  const lines = Buffer.concat([
    Buffer.from(text(aLine('fine'))),
    latin1,
    Buffer.from(text(aLine('as fine'))),
  ]);
  const { code, stdout, stderr } = await nodes(['import', '-', '--batch', '1'], lines);
  assert.deepEqual([stdout, code], ['Imported 2 nodes.\n', 1]);
  assert.match(stderr, /^line 2: is not UTF-8\n/);
});

test('a mark at the beginning of a file does not spoil its first line', async (t) => {
  const { nodes } = await onFolder(t);
  const { stdout, stderr, code } = await nodes(['import', '-'], `\ufeff${text(aLine('a'), aLine('b'))}`);
  assert.deepEqual([stdout, stderr, code], ['Imported 2 nodes.\n', '', 0]);
});

test('a line that is longer than any node is refused, and those around it are read', async (t) => {
  const { nodes } = await onFolder(t);
  const long = aLine('long', { name: 'x'.repeat(3_000_000) });
  const { stdout, stderr } = await nodes(['import', '-', '--batch', '1'], text(aLine('a'), long, aLine('b')));
  assert.equal(stdout, 'Imported 2 nodes.\n');
  assert.match(stderr, /^line 2: is longer than \d+ bytes\n/);
  const widest = JSON.parse(aLine('wide', { id: 'i'.repeat(1_024), name: '\u00e4'.repeat(512) }));
  const escaped = JSON.stringify(widest).replace(
    /[^,:{}"]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  assert.equal((await nodes(['import', '-'], text(escaped))).stdout, 'Imported 1 node.\n');
});

test('what is imported beside a running service holds for its next request', async (t) => {
  const { get, names, service } = await asking(t);
  assert.equal((await get(ofNode('fresh'))).status, 404);
  const env = { TESSERA_DATA: service.data };
  await run('tessera', ['nodes', 'import', '-'], {
    env,
    stdin: text(aLine('fresh', { type: 'cm:content' })),
  });
  assert.ok((await names(ofNode('fresh'))).includes('transform'));
  await run('tessera', ['nodes', 'remove', 'workspace://SpacesStore/fresh'], { env });
  assert.equal((await get(ofNode('fresh'))).status, 404);
});
