import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { aDefinition, folderOf } from '../../capabilities/action-definitions/catalogue/documents.ts';
import { asking } from '../../capabilities/action-definitions/rule/asking.ts';
import { DEFINITIONS, definitionsOf } from './places.ts';

const TITLES: Readonly<Record<string, string | undefined>> = {
  a: 'two',
  b: undefined,
  c: 'One',
  d: 'one',
  e: 'two',
  f: 'Ärger',
};

/** A service with six definitions. Returns a function that lists them with these arguments. */
async function listing(t: TestContext) {
  const definitions = Object.entries(TITLES).map(([name, title]) =>
    aDefinition(name, title ? { title } : {}),
  );
  const { folder } = await folderOf(t, { 'own.json': { extends: 'none', definitions } });
  const { get } = await asking(t, { TESSERA_DEFINITIONS: folder });
  return async (query: string, path = DEFINITIONS) => {
    const { status, text } = await get(`${path}?${query}`);
    if (status !== 200) return { status, error: JSON.parse(text).error };
    const { pagination, entries } = JSON.parse(text).list;
    return {
      status,
      pagination,
      ids: entries.map(({ entry }: { entry: { id: string } }) => entry.id).join(''),
    };
  };
}

test('a list tells how many there are, how many it shows and whether there are more', async (t) => {
  const list = await listing(t);
  const all = { count: 6, hasMoreItems: false, totalItems: 6, skipCount: 0, maxItems: 100 };
  for (const [query, ids, pagination] of [
    ['', 'abcdef', all],
    ['skipCount=&maxItems=&orderBy=', 'abcdef', all],
    ['maxItems=6', 'abcdef', { ...all, maxItems: 6 }],
    ['maxItems=2', 'ab', { ...all, count: 2, hasMoreItems: true, maxItems: 2 }],
    ['skipCount=2&maxItems=2', 'cd', { ...all, count: 2, hasMoreItems: true, skipCount: 2, maxItems: 2 }],
    ['skipCount=4&maxItems=2', 'ef', { ...all, count: 2, skipCount: 4, maxItems: 2 }],
    ['skipCount=5&maxItems=2', 'f', { ...all, count: 1, skipCount: 5, maxItems: 2 }],
    ['skipCount=6', '', { ...all, count: 0, skipCount: 6 }],
    ['skipCount=2147483647', '', { ...all, count: 0, skipCount: 2_147_483_647 }],
    ['maxItems=2147483647', 'abcdef', { ...all, maxItems: 2_147_483_647 }],
    ['maxItems=10000000000', 'abcdef', { ...all, maxItems: 10_000_000_000 }],
    [`maxItems=${'9'.repeat(400)}`, 'abcdef', { ...all, maxItems: Number.MAX_SAFE_INTEGER }],
    [`skipCount=${'9'.repeat(400)}`, '', { ...all, count: 0, skipCount: Number.MAX_SAFE_INTEGER }],
  ] as const) {
    assert.deepEqual(await list(query), { status: 200, pagination, ids }, query);
    assert.deepEqual(await list(query, definitionsOf('-root-')), { status: 200, pagination, ids }, query);
  }
});

test('a list is ordered by name or title, up or down, before it is cut; without a title comes first', async (t) => {
  const list = await listing(t);
  for (const [query, ids] of [
    ['orderBy=name', 'abcdef'],
    ['orderBy=name%20ASC', 'abcdef'],
    ['orderBy=name+DESC', 'fedcba'],
    ['orderBy=title', 'bcdaef'],
    ['orderBy=title%20asc', 'bcdaef'],
    ['orderBy=title%20DESC', 'faedcb'],
    ['orderBy=title%20desc&maxItems=2&skipCount=1', 'ae'],
    ['orderBy=NAME%20desc', 'fedcba'],
    ['orderBy=Title%20Desc', 'faedcb'],
  ] as const) {
    assert.equal((await list(query)).ids, ids, query);
  }
});

test('any other value is 400, and names the argument and its values', async (t) => {
  const list = await listing(t);
  for (const [name, values] of Object.entries({
    skipCount: ['1.5', 'one', '0x1', '%D9%A1', '-'],
    maxItems: ['all', '1.5', '-'],
    orderBy: ['id', 'names', 'name,title', 'name%20UP', 'nameDESC', 'title%20DESC%20name'],
  })) {
    for (const value of values) {
      const { status, error } = await list(`${name}=${value}`);
      assert.equal(status, 400, value);
      assert.match(error.briefSummary, new RegExp(`^Argument not understood: ${name} \\(.+left out\\.\\)$`));
    }
    const { status, error } = await list(`${name}=1&${name}=2`);
    assert.equal(status, 400);
    assert.match(error.briefSummary, new RegExp(name));
  }
});

test('a count below its bound is 400, with the sentence of the reference as its key', async (t) => {
  const list = await listing(t);
  const negative = 'Negative values not supported for skipCount.';
  const none = 'Only positive values supported for maxItems.';
  for (const [query, key] of [
    ['skipCount=-1', negative],
    ['skipCount=-99999999999', negative],
    ['skipCount=-1&maxItems=0', negative],
    ['maxItems=0', none],
    ['maxItems=-1', none],
    ['maxItems=00', none],
  ] as const) {
    for (const path of [DEFINITIONS, definitionsOf('-root-')]) {
      const { status, error } = await list(query, path);
      assert.equal(status, 400, query);
      assert.equal(error.errorKey, key, query);
      assert.equal(error.briefSummary, key, query);
    }
  }
});

test('a list asked for with other arguments is another body, each with a tag of its own', async (t) => {
  const { get } = await asking(t);
  const tags = new Set<unknown>();
  const queries = ['', '?maxItems=1', '?maxItems=2', '?skipCount=1', '?orderBy=name%20DESC'];
  for (const query of queries) {
    const { headers } = await get(DEFINITIONS + query);
    assert.equal((await get(DEFINITIONS + query, { 'if-none-match': headers.etag })).status, 304, query);
    tags.add(headers.etag);
  }
  assert.equal(tags.size, queries.length);
});

test('titles are ordered in the language that they are shown in', async (t) => {
  const titles = [
    ['one', { en: 'A', de: 'Z' }],
    ['two', { en: 'B', de: 'Y' }],
  ] as const;
  const definitions = titles.map(([name, title]) => aDefinition(name, { title }));
  const { folder } = await folderOf(t, { 'own.json': { extends: 'none', definitions } });
  const { get } = await asking(t, { TESSERA_DEFINITIONS: folder });
  for (const [language, first] of [
    ['en', 'one'],
    ['de', 'two'],
  ] as const) {
    const { text } = await get(`${DEFINITIONS}?orderBy=title&maxItems=1`, { 'accept-language': language });
    assert.equal(JSON.parse(text).list.entries[0].entry.id, first);
  }
});
