import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { onFolder, text } from '../nodes/command-line.ts';
import { aLine } from '../nodes/import-lines.ts';
import { aDefinition, folderOf, load, namesIn } from './documents.ts';

test('definitions check finds a document without fault, and notes types that the model does not know', async (t) => {
  const { at } = await folderOf(t, {
    'good.json': { definitions: [aDefinition('a', { applicableTypes: ['cm:content'] })] },
    'unknown.json': { definitions: [aDefinition('a', { applicableTypes: ['acme:record', 'cm:content'] })] },
    'model.json': { types: [{ name: 'acme:record' }] },
  });
  const { definitions } = await onFolder(t);
  const good = await definitions(['check', at('good.json')]);
  assert.deepEqual(good, {
    code: 0,
    stdout: `${at('good.json')}: 1 action definitions, no fault.\n`,
    stderr: '',
  });
  const noted = await definitions(['check', at('unknown.json')]);
  assert.equal(noted.code, 0);
  assert.match(noted.stderr, /^note: "a" names the type acme:record, which is not in the model.*\n$/);
  const known = await definitions(['check', at('unknown.json'), '--model', at('model.json')]);
  assert.deepEqual([known.stderr, known.code], ['', 0]);
});

test('definitions check prints every fault and nothing else, and exits with 1', async (t) => {
  const faulty = '{"definitions": [\n{"name": "", "adHocPropertiesAllowed": 1,\n"applicableTypes": ["x"]}]}';
  const { at } = await folderOf(t, {
    'faulty.json': faulty,
    'twice.json': { definitions: [aDefinition('a'), aDefinition('a')] },
  });
  const { definitions } = await onFolder(t);
  const { code, stdout, stderr } = await definitions(['check', at('faulty.json')]);
  assert.deepEqual([code, stdout], [1, '']);
  for (const place of [
    ':2 /definitions/0/name',
    ':2 /definitions/0/adHocPropertiesAllowed',
    ':3 /definitions/0/applicableTypes/0',
  ])
    assert.ok(stderr.includes(at('faulty.json') + place), stderr);
  const twice = await definitions(['check', at('twice.json')]);
  assert.equal(twice.code, 1);
  assert.match(twice.stderr, /"a" is defined twice\n$/);
  assert.equal((await definitions(['check', at('none.json')])).code, 1);
  assert.equal((await definitions(['check'])).code, 2);
  assert.equal((await definitions(['check', ''])).code, 2);
});

test('definitions check reads a folder as a start does: all of its documents together', async (t) => {
  const { folder, at } = await folderOf(t, {
    'a.json': { definitions: [aDefinition('a', { applicableTypes: ['acme:record'] })] },
    'b.json': { definitions: [aDefinition('b')] },
    'notes.txt': 'no document',
  });
  const { definitions } = await onFolder(t);
  const { code, stdout, stderr } = await definitions(['check', folder]);
  assert.deepEqual([code, stdout], [0, `${folder}: 2 action definitions, no fault.\n`]);
  assert.match(stderr, /^note: "a" names the type acme:record/);
  writeFileSync(at('c.json'), JSON.stringify({ definitions: [aDefinition('b')] }));
  const twice = await definitions(['check', folder]);
  assert.deepEqual([twice.code, twice.stdout], [1, '']);
  assert.match(twice.stderr, /c\.json:1 \/definitions\/0\/name: "b" is defined twice\n$/);
});

test('definitions list refuses a store that no path is in', async (t) => {
  const { definitions } = await onFolder(t);
  for (const more of [[], ['--node', 'workspace://SpacesStore/sites']]) {
    const { code, stdout, stderr } = await definitions(['list', '--store', 'archive://SpacesStore', ...more]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /--path/);
  }
});

test('definitions list has all of them, or those of one node by its id or its path', async (t) => {
  const { definitions, nodes } = await onFolder(t);
  await nodes(['import', '-'], text(aLine('doc', { type: 'cm:content' })));
  const names = async (...words: string[]) => {
    const { stdout, code } = await definitions(['list', '--json', ...words]);
    assert.equal(code, 0);
    return JSON.parse(stdout).map(({ name }: { name: string }) => name);
  };
  const catalogue = load();
  const of = (type: string) => catalogue.applyingTo(type).map(({ name }) => name);
  assert.deepEqual(await names(), namesIn(catalogue));
  assert.deepEqual(await names('--node', 'workspace://SpacesStore/doc'), of('cm:content'));
  assert.deepEqual(await names('--path', 'Company Home/Sites/doc'), of('cm:content'));
  assert.deepEqual(await names('--path', 'Company Home/Sites'), of('cm:folder'));
  assert.equal((await names('--definitions-generation', 'current')).length, 17);
  const table = await definitions(['list']);
  assert.match(
    table.stdout,
    /^NAME +TYPES +PARAMETERS +TITLE\nadd-features +every type +1 +Add aspect to item\n/,
  );
  const absent = await definitions(['list', '--path', 'Company Home/None']);
  assert.deepEqual([absent.stderr, absent.code], ['Path not found: "None" in Company Home.\n', 1]);
});

test('definitions show prints a definition as a document may have it', async (t) => {
  const own = aDefinition('own', {
    title: { de: 'Eigenes', en: 'Own' },
    parameters: [{ name: 'p', type: 'd:text', label: 'P', constraint: 'sizes' }],
  });
  const constraints = [{ name: 'sizes', values: ['small', 'large'] }];
  const { at } = await folderOf(t, { 'own.json': { constraints, definitions: [own] } });
  const { definitions } = await onFolder(t, { TESSERA_DEFINITIONS: at('own.json') });
  for (const name of ['own', 'transform', 'blog-post']) {
    const { stdout, code } = await definitions(['show', name]);
    assert.equal(code, 0);
    const shown = JSON.parse(stdout);
    assert.equal(shown.name, name);
    const { at: again } = await folderOf(t, { 'again.json': { constraints, definitions: [shown] } });
    assert.equal((await definitions(['check', again('again.json')])).code, 0);
    assert.deepEqual(
      load({ definitions: again('again.json') }).find(name),
      load({ definitions: at('own.json') }).find(name),
    );
  }
  const { stderr, code } = await definitions(['show', 'nothing']);
  assert.equal(code, 1);
  assert.match(stderr, /no action definition "nothing"/);
});
