import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formOn } from '../../../faces/pages/browse.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { startConsole, textOf } from './console-service.ts';

const ACTIONS = '/portal/console/actions';
const HOME = 'workspace://SpacesStore/company-home';
const forNode = (node: string) => `${ACTIONS}?node=${encodeURIComponent(node)}`;

/** The row of the table that begins with this name. */
function rowOf(text: string, name: string): string {
  const row = readPage(text).rows.find(([first]) => first === name);
  return row?.join(' ') ?? assert.fail(name);
}

test('an operator sees which actions apply to a node, and why others do not', async (t) => {
  const { visitor } = await startConsole(t, 'operator');
  assert.match(rowOf(await textOf(visitor, ACTIONS), 'add-features'), /every type|cm:/);
  for (const node of [HOME, '/Company Home']) {
    const text = await textOf(visitor, forNode(node));
    assert.match(text, /The node is of type cm:folder/, node);
    const why = /does not apply.*The node is of type cm:folder, which is not cm:content/;
    assert.match(rowOf(text, 'check-in'), why);
    assert.match(rowOf(text, 'copy'), /applies/);
  }
  assert.equal((await visitor.get(forNode('workspace://SpacesStore/nowhere'))).status, 404);
  const { visitor: auditor } = await startConsole(t, 'auditor');
  assert.equal((await auditor.get(ACTIONS)).status, 403);
});

test('the form of an action has a field for each parameter, and its check names every fault at its field', async (t) => {
  const { visitor } = await startConsole(t);
  const copy = `${ACTIONS}/copy`;
  const fields = formOn(await textOf(visitor, copy), copy);
  assert.equal(fields?.['value.destination-folder'], '');
  const refused = await visitor.send(copy, copy, { 'value.deep-copy': 'perhaps' });
  assert.equal(refused.status, 422);
  const faults = new Map(readPage(await refused.text()).faults.map(({ field, text }) => [field, text]));
  assert.match(faults.get('value.destination-folder') ?? '', /"copy" needs "destination-folder"/);
  const right = await visitor.send(copy, copy, {
    'value.destination-folder': HOME,
    'value.assoc-type': 'cm:contains',
    'value.assoc-name': 'cm:copy',
    'value.deep-copy': 'true',
  });
  assert.equal(right.status, 200);
  assert.match(await right.text(), /All values are valid/);
});

test('the check says when an action does not apply to the node', async (t) => {
  const { visitor } = await startConsole(t);
  const checkIn = `${ACTIONS}/check-in`;
  const refused = await visitor.send(checkIn, checkIn, { node: HOME });
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /does not apply to the node/);
});

test('an action that there is not is 404, and German readers read German', async (t) => {
  const { visitor } = await startConsole(t);
  assert.equal((await visitor.get(`${ACTIONS}/nothing`)).status, 404);
  assert.match(await textOf(visitor, ACTIONS, { 'Accept-Language': 'de' }), /Aktionsdefinitionen/);
});
