import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ask } from '../../../service/talk.ts';
import { folderOf } from '../catalogue/documents.ts';
import { ALL, asking, ofNode } from './asking.ts';

const PAGE = readFileSync(new URL('../../../../docs/how-to/rule-editors.md', import.meta.url), 'utf8');
const [copy, faulty, action, checkIn, choice, constraints] = [
  ...PAGE.matchAll(/^```json\n(.*?)^```$/gms),
].map(([, text]) => JSON.parse(text as string));

/** The answer to the curl line of the page that validates an action. */
async function verdictOnPage(url: string, ticket: string): Promise<unknown> {
  const [, path = '', body = ''] = /"\$url(\S+\/validate\S+)" \\\n {2}-d '(.*)'/.exec(PAGE) ?? [];
  const headers = { authorization: `Bearer ${ticket}` };
  const { status, text } = await ask(url + path, { method: 'POST', headers, body });
  assert.equal(status, 422);
  return JSON.parse(text);
}

test('the page for rule editors shows what is answered', async (t) => {
  const { get, service, ticket } = await asking(t);
  assert.deepEqual(JSON.parse((await get(`${ALL}/copy?format=schema`)).text), copy);
  assert.deepEqual(await verdictOnPage(service.url, ticket), faulty);
  const explained = JSON.parse((await get(`${ofNode('sites')}?explain=true`)).text);
  const { name, applies, whyNot } = explained.find((each: { name: string }) => each.name === checkIn.name);
  assert.deepEqual({ name, applies, whyNot }, checkIn);
  const { data } = JSON.parse((await get(`/api/actionConstraints/${choice.data.name}`)).text);
  assert.deepEqual(data, choice.data);
  const { $defs } = JSON.parse((await get(`${ofNode('sites')}?format=schema`)).text);
  assert.ok(
    Object.keys(action.parameterValues).every(
      (each) => each in $defs[action.actionDefinitionName].properties,
    ),
  );
});

test('the constraints of the page are those of its action', async (t) => {
  const { at } = await folderOf(t, { 'own.json': constraints });
  const { get } = await asking(t, { TESSERA_DEFINITIONS: at('own.json') });
  const { text } = await get(`${ALL}/acme-archive?format=schema`, { 'accept-language': 'de' });
  assert.deepEqual(JSON.parse(text).properties.years.oneOf, [
    { const: 5, title: 'fünf' },
    { const: 10, title: 'zehn' },
  ]);
});
