import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../../faces/cli/command.ts';
import { ALL, asking, ofPath } from '../rule/asking.ts';
import { folderOf, load } from './documents.ts';

const PAGES = ['add-action.md', 'add-types.md']
  .map((page) => readFileSync(new URL(`../../../../docs/how-to/${page}`, import.meta.url), 'utf8'))
  .join('\n');

/** The blocks of one kind on the pages, in their order. */
const blocks = (kind: string): string[] =>
  [...PAGES.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text as string);

const [actions = '', model = ''] = blocks('json');
const nodes = blocks('text').find((text) => text.startsWith('{"store"')) ?? '';

test('the worked example of the page works: its action is listed for the document and not for the folder', async (t) => {
  const { folder, at } = await folderOf(t, { 'actions.json': actions, 'nodes.ndjson': nodes });
  const checked = await run('tessera', ['definitions', 'check', 'actions.json'], { cwd: folder });
  assert.deepEqual([checked.stdout, checked.code], ['actions.json: 1 action definitions, no fault.\n', 0]);
  assert.ok(PAGES.includes(checked.stdout));

  const { names, list, service } = await asking(t, { TESSERA_DEFINITIONS: at('actions.json') });
  const env = { TESSERA_DATA: service.data };
  const imported = await run('tessera', ['nodes', 'import', join(folder, 'nodes.ndjson')], { env });
  assert.deepEqual([imported.stdout, imported.code], ['Imported 2 nodes.\n', 0]);
  assert.ok(PAGES.includes(imported.stdout));

  assert.ok((await names(ALL)).includes('acme-archive'));
  assert.ok((await names(ofPath('Company%20Home/Contracts/17.pdf'))).includes('acme-archive'));
  assert.ok(!(await names(ofPath('Company%20Home/Contracts'))).includes('acme-archive'));
  const german = await list(ALL, { 'accept-language': 'de' });
  assert.equal(german.find(({ name }) => name === 'acme-archive')?.title, 'Archivieren');
});

test('the types of the page are types that a model may have', async (t) => {
  const { at } = await folderOf(t, { 'model.json': model });
  const types = load({ model: at('model.json') }).model;
  assert.ok(types.get('acme:invoice')?.has('cm:content'));
});
