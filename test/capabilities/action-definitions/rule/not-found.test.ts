import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAnswered } from '../../../core/http/scenario.ts';
import { ALL, aNode, asking, keep, ofNode, ofPath } from './asking.ts';

/** Paths with a missing part, and the sentence that names it. */
const MISSING: Readonly<Record<string, string>> = {
  '/api/node/workspace/Nowhere/sites/actiondefs': 'Store not found: workspace://Nowhere',
  '/api/node/archive/SpacesStore/sites/actiondefs': 'Store not found: archive://SpacesStore',
  '/api/node/work%20space/Spaces%2FStore/sites/actiondefs': 'Store not found: work space://Spaces/Store',
  '/api/path/workspace/Nowhere/Company%20Home/actiondefs': 'Store not found: workspace://Nowhere',
  [ofNode('nothing')]: 'Node not found: nothing',
  [ofNode('Sites')]: 'Node not found: Sites',
  [ofNode('sites/deeper')]: 'Node not found: sites/deeper',
  [ofNode('company-home/sites')]: 'Node not found: company-home/sites',
  [ofPath('Sites')]: 'Path not found: "Sites"',
  [ofPath('company%20home')]: 'Path not found: "company home"',
  [ofPath('Company%20Home/Nothing')]: 'Path not found: "Nothing" in Company Home',
  [ofPath('Company%20Home/Sites/No/Way')]: 'Path not found: "No" in Company Home/Sites',
  [ofPath('Company%20Home/No/Sites')]: 'Path not found: "No" in Company Home',
  [ofPath('Company%20Home/sites')]: 'Path not found: "sites" in Company Home',
  [ofPath('Company%20Home%2FSites')]: 'Path not found: "Company Home/Sites"',
  [ofPath('Company%20Home/%2E%2E')]: 'Path not found: ".." in Company Home',
  [ofPath('Company%20Home/.')]: 'Path not found: "." in Company Home',
  [ofPath('Company+Home')]: 'Path not found: "Company+Home"',
  [`${ALL}/nothing`]: 'Action definition not found: nothing',
  [`${ALL}/Transform`]: 'Action definition not found: Transform',
  [`${ALL}/transform.json`]: 'Action definition not found: transform.json',
  [`${ALL}/a%2Fb`]: 'Action definition not found: a/b',
};

test('a missing part is 404, names the part, and lists no definitions', async (t) => {
  const { get } = await asking(t);
  for (const [path, message] of Object.entries(MISSING)) {
    await t.test(`${path}: ${message}`, async () => {
      const json = { status: 404, type: 'application/json;charset=UTF-8', message };
      const lacks = ['add-features', 'applicableTypes', '[{'];
      assertAnswered(await get(path), { ...json, name: path, ask: path, lacks });
      const xml = { status: 404, type: 'text/xml;charset=UTF-8', message };
      assertAnswered(await get(`${path}?format=xml`), { ...xml, name: path, ask: path, lacks });
    });
  }
});

/** Paths where no operation answers. */
const NOWHERE = [
  ...[`${ALL}/`, `${ALL}.json`, `${ALL}.xml`, `${ALL}/transform/`, `${ALL}/transform/more`],
  ...['/api/node/workspace/SpacesStore/actiondefs', '/api/node/workspace/SpacesStore//actiondefs'],
  ...[ofNode('sites/'), ofNode('/sites'), `${ofNode('sites')}/`, `${ofNode('sites')}.json`],
  ...['/api/path/workspace/SpacesStore/actiondefs', ofPath('Company%20Home//Sites')],
  ...['/api/path/workspace//Company%20Home/actiondefs', '/api/Node/workspace/SpacesStore/sites/actiondefs'],
];

test('paths that only look alike are 404, and no list', async (t) => {
  const { get } = await asking(t);
  for (const path of NOWHERE) {
    const { status, text } = await get(path);
    assert.equal(status, 404, path);
    assert.match(text, /No operation answers at this path/, path);
  }
});

test('a node in a store without a root counts as missing', async (t) => {
  const { get, service } = await asking(t);
  const store = 'workspace://SpacesStore';
  await service.store.write((unit) => unit.nodes.remove(store, 'company-home'));
  for (const path of [ofNode('sites'), ofPath('Company%20Home')]) assert.equal((await get(path)).status, 404);
});

test('a missing part is named without the secrets that may stand in it', async (t) => {
  const { get, ticket } = await asking(t);
  for (const path of [ofNode(ticket), ofPath(`Company%20Home/${ticket}`), `${ALL}/${ticket}`]) {
    const { status, text } = await get(path);
    assert.equal(status, 404);
    assert.ok(!text.includes(ticket), 'an error echoes a ticket');
  }
  const store = await get(`/api/node/workspace/${ticket}/sites/actiondefs`);
  assert.ok(!store.text.includes(ticket));
});

test('a broken escape is 400, wherever it stands', async (t) => {
  const { get, service } = await asking(t);
  await keep(service.store, aNode('%', 'cm:content'));
  for (const path of [ofNode('%'), ofNode('%zz'), ofPath('Company%20Home/%C3'), `${ALL}/%E0%A4%A`])
    assert.equal((await get(path)).status, 400, path);
  assert.equal((await get(ofNode('%25'))).status, 200);
});
