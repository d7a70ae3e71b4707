import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { startTestService } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';
import { aDefinition, folderOf } from '../catalogue/documents.ts';
import { ALL, aNode, keep } from './asking.ts';

interface Verdict {
  readonly valid: boolean;
  readonly faults?: readonly { readonly pointer: string; readonly message: string }[];
}

const TYPES = ['text', 'int', 'long', 'double', 'boolean', 'date', 'datetime', 'noderef', 'qname', 'any'];

const DOCUMENT = {
  constraints: [
    { name: 'places', values: ['attic', 'cellar'] },
    { name: 'years', values: [5, { value: 10, label: 'ten' }] },
    { name: 'folders', values: ['workspace://SpacesStore/attic'] },
    { name: 'many', values: Array.from({ length: 11 }, (_, at) => `v${at}`) },
    { name: 'paths', values: ['house/attic'] },
  ],
  definitions: [
    aDefinition('typed', { parameters: TYPES.map((type) => ({ name: type, type: `d:${type}` })) }),
    aDefinition('chosen', {
      parameters: [
        { name: 'place', type: 'd:text', constraint: 'places', mandatory: true },
        { name: 'years', type: 'd:int', constraint: 'years' },
        { name: 'folder', type: 'd:noderef', constraint: 'folders' },
        { name: 'v', type: 'd:text', constraint: 'many' },
        { name: 'path', type: 'd:text', constraint: 'paths' },
        { name: 'elsewhere', type: 'd:text', constraint: 'unknown' },
      ],
    }),
    aDefinition('several', {
      parameters: [
        { name: 'a/b~c', type: 'd:int', multiValued: true, mandatory: true },
        { name: 'places', type: 'd:text', multiValued: true, constraint: 'places' },
      ],
    }),
    aDefinition('for-content', { applicableTypes: ['cm:content'] }),
    aDefinition('free', { adHocPropertiesAllowed: true }),
  ],
};

async function validating(t: TestContext) {
  const { at } = await folderOf(t, { 'own.json': DOCUMENT });
  const service = await startTestService(t, { TESSERA_DEFINITIONS: at('own.json') });
  const headers = { authorization: `Bearer ${await logIn(service.url)}` };
  const post = (action: string, body: unknown, query = '') =>
    ask(`${service.url}${ALL}/${encodeURIComponent(action)}/validate${query}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
  const verdict = async (action: string, parameterValues: unknown, query = ''): Promise<Verdict> => {
    const { status, text } = await post(action, { parameterValues }, query);
    const answered: Verdict = JSON.parse(text);
    assert.equal(status, answered.valid ? 200 : 422, text);
    return answered;
  };
  const schemaOf = async (action: string) =>
    JSON.parse((await ask(`${service.url}${ALL}/${action}?format=schema`, { headers })).text);
  return { service, post, verdict, schemaOf };
}

test('an action without a fault is valid, and that is all of the answer', async (t) => {
  const { post } = await validating(t);
  const { status, text, headers } = await post('chosen', { parameterValues: { place: 'attic', years: 10 } });
  assert.equal(status, 200);
  assert.equal(text, '{"valid":true}');
  assert.equal(headers.get('cache-control'), 'no-cache, no-store');
  assert.equal((await post('for-content', {})).text, '{"valid":true}');
  assert.equal((await post('chosen', {})).status, 422);
});

test('all faults are told at once, each with a pointer and a sentence', async (t) => {
  const { post } = await validating(t);
  const { status, text } = await post('chosen', {
    parameterValues: { years: 7, folder: 5, v: 'w', elsewhere: 'any', 'more/~': 1 },
  });
  assert.equal(status, 422);
  const values = '"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9" and 1 more';
  assert.deepEqual(JSON.parse(text), {
    valid: false,
    faults: [
      { pointer: '/parameterValues/place', message: '"chosen" needs "place" (d:text): give it a value.' },
      { pointer: '/parameterValues/years', message: '"years" allows 5, 10, and nothing else.' },
      {
        pointer: '/parameterValues/folder',
        message:
          '"folder" takes a node such as workspace://SpacesStore/company-home, or its id alone (d:noderef), not the number 5.',
      },
      { pointer: '/parameterValues/v', message: `"v" allows ${values}, and nothing else.` },
      {
        pointer: '/parameterValues/more~1~0',
        message:
          '"chosen" has no parameter of this name: leave it out. It takes place, years, folder, v, path, elsewhere.',
      },
    ],
  });
});

test('an unknown action is a fault of the whole', async (t) => {
  const { verdict } = await validating(t);
  const { faults } = await verdict('no/such', {});
  assert.deepEqual(faults, [
    { pointer: '', message: 'There is no action "no/such": ask for the list of action definitions.' },
  ]);
});

test('a sentence names what the type takes and what was given, and repeats no text', async (t) => {
  const { verdict } = await validating(t);
  for (const [type, value, message] of [
    ['text', 5, 'takes a text (d:text), not the number 5.'],
    ['text', null, 'takes a text (d:text), not null.'],
    ['text', ['secret'], 'takes a text (d:text), not a list.'],
    ['text', { a: 'secret' }, 'takes a text (d:text), not an object.'],
    [
      'int',
      2 ** 31,
      'takes a whole number from -2147483648 to 2147483647 (d:int), not the number 2147483648.',
    ],
    ['long', 'secret', 'takes a whole number (d:long), not this text.'],
    ['double', true, 'takes a number (d:double), not true.'],
    ['boolean', 'true', 'takes true or false (d:boolean), not this text.'],
    ['date', '2026-02-31', 'takes a day such as 2026-01-31 (d:date), not this text.'],
    [
      'datetime',
      ['2026-01-31T12:00:00Z'],
      'takes a time such as 2026-01-31T12:00:00Z (d:datetime), not a list.',
    ],
    ['qname', '', 'takes a name such as cm:titled (d:qname), not this text.'],
  ] as const) {
    const { faults } = await verdict('typed', { [type]: value });
    assert.deepEqual(faults, [{ pointer: `/parameterValues/${type}`, message: `"${type}" ${message}` }]);
  }
});

test('a node may be named by its id alone, as the v1 API does', async (t) => {
  const { verdict } = await validating(t);
  assert.ok((await verdict('typed', { noderef: 'company-home' })).valid);
  assert.ok(!(await verdict('typed', { noderef: 'workspace://SpacesStore' })).valid);
  for (const folder of ['attic', 'workspace://SpacesStore/attic'])
    assert.ok((await verdict('chosen', { place: 'attic', folder })).valid, folder);
  for (const folder of ['ttic', 'cellar', 'workspace://Other/attic'])
    assert.ok(!(await verdict('chosen', { place: 'attic', folder })).valid, folder);
  assert.ok(!(await verdict('chosen', { place: 'attic', path: 'attic' })).valid, 'a text is no id');
});

test('a list is checked value by value', async (t) => {
  const { verdict } = await validating(t);
  assert.ok((await verdict('several', { 'a/b~c': [1], places: [] })).valid);
  const several = await verdict('several', { 'a/b~c': [], places: 'attic' });
  assert.deepEqual(several.faults, [
    { pointer: '/parameterValues/a~1b~0c', message: '"a/b~c" needs at least one value.' },
    { pointer: '/parameterValues/places', message: '"places" takes a list of values, not this text.' },
  ]);
  const { faults = [] } = await verdict('several', {
    'a/b~c': [1, 'two', 3, null],
    places: ['attic', 'roof'],
  });
  assert.deepEqual(
    faults.map(({ pointer }) => pointer),
    ['/parameterValues/a~1b~0c/1', '/parameterValues/a~1b~0c/3', '/parameterValues/places/1'],
  );
});

test('parameters of any name are fine if the action allows ad-hoc ones', async (t) => {
  const { verdict } = await validating(t);
  assert.ok((await verdict('free', { anything: { at: ['all'] } })).valid);
  const { faults } = await verdict('for-content', { constructor: 1 });
  assert.deepEqual(faults, [
    {
      pointer: '/parameterValues/constructor',
      message: '"for-content" has no parameter of this name: leave it out. It takes none.',
    },
  ]);
});

test('of very many faults a hundred are listed, and the rest is counted', async (t) => {
  const { verdict } = await validating(t);
  const many = (length: number) => Object.fromEntries(Array.from({ length }, (_, at) => [`p${at}`, at]));
  assert.equal((await verdict('for-content', many(100))).faults?.length, 100);
  const { faults = [] } = await verdict('for-content', many(250));
  assert.equal(faults.length, 101);
  assert.deepEqual(faults[100], { pointer: '', message: 'Faults that are not listed: 150.' });
});

test('for a node it says whether and why the action does not apply, beside the other faults', async (t) => {
  const { verdict, service, post } = await validating(t);
  await keep(service.store, aNode('a-file', 'cm:content'));
  const at = (id: string) => `?node=workspace://SpacesStore/${id}`;
  assert.ok((await verdict('for-content', {}, at('a-file'))).valid);
  assert.ok((await verdict('for-content', {}, '?node=')).valid);
  const { faults = [] } = await verdict('for-content', { more: 1 }, at('sites'));
  assert.deepEqual(
    faults.map(({ pointer }) => pointer),
    ['', '/parameterValues/more'],
  );
  assert.equal(
    faults[0]?.message,
    'The action does not apply to the node. The node is of type st:sites, which is not cm:content and does not descend from it.',
  );
  assert.equal((await post('for-content', {}, at('nothing'))).status, 404);
  assert.equal((await post('for-content', {}, '?node=sites')).status, 400);
});

/** Values of all kinds, and those that some parameter takes. */
const VALUES = [
  ...['attic', 'cellar', 5, 10, 'workspace://SpacesStore/attic', '2026-01-31', 'v3', 'house/attic'],
  ...['2026-02-31', '2026-01-31T12:00:00Z', '2026-01-31T25:00:00Z', 'cm:titled', '{a}b', '{'],
  ...[null, true, 1.5, 2 ** 31, -1, '', [], ['attic'], [5, 10], [null], ['attic', 'roof'], { a: 1 }],
];

/** Whether it is a node by its id alone, which a validation accepts and the schema does not. */
const isNodeById = (name: string, value: unknown) =>
  ['noderef', 'folder'].includes(name) && typeof value === 'string' && /^[^:/]+$/.test(value);

test('a validation and the schema of the action agree', async (t) => {
  const { verdict, schemaOf } = await validating(t);
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv);
  const needed: Readonly<Record<string, object>> = { chosen: { place: 'attic' }, several: { 'a/b~c': [1] } };
  for (const action of ['typed', 'chosen', 'several', 'free']) {
    const schema = await schemaOf(action);
    const check = ajv.compile(schema);
    for (const name of [...Object.keys(schema.properties), 'other'])
      for (const value of VALUES.filter((each) => !isNodeById(name, each)))
        for (const given of [{ [name]: value }, { ...needed[action], [name]: value }])
          assert.equal((await verdict(action, given)).valid, check(given), JSON.stringify(given));
  }
});
