import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange } from '../../../core/http/scenario.ts';
import { DEFINITIONS, definitionsOf } from '../../../core/v1/places.ts';
import { PASSWORD } from '../../../service/start.ts';
import { basic } from '../../../service/talk.ts';
import { ALL, asking, ofNode, ofPath } from './asking.ts';

const PATHS = [
  DEFINITIONS,
  `${DEFINITIONS}/transform`,
  definitionsOf('sites'),
  '/api/actiondefinitions',
  ALL,
  `${ALL}/transform`,
  ofNode('sites'),
  ofPath('Company%20Home/Sites'),
];

test('an answer has a strong entity tag, and only its caller may cache it', async (t) => {
  const { get } = await asking(t);
  for (const path of PATHS) {
    const { status, headers } = await get(path);
    assert.equal(status, 200);
    assert.match(String(headers.etag), /^"[\x21\x23-\x7e]+"$/);
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.equal(headers.vary, 'Authorization, Accept-Language');
    assert.equal(headers.pragma, undefined);
    assert.equal(headers['x-content-type-options'], 'nosniff');
  }
});

test('a caller who has the body already gets 304, without a body and with the same headers', async (t) => {
  const { get } = await asking(t);
  for (const path of PATHS) {
    const { headers } = await get(path);
    const kept = await get(path, { 'if-none-match': headers.etag });
    assert.equal(kept.status, 304);
    assert.equal(kept.text, '');
    for (const name of ['etag', 'cache-control', 'vary', 'content-language'])
      assert.equal(kept.headers[name], headers[name], name);
    assert.equal(kept.headers.pragma, undefined);
    assert.equal(kept.headers['content-type'], undefined);
  }
});

test('If-None-Match may hold a list, weak tags and a star', async (t) => {
  const { get } = await asking(t);
  const { headers } = await get(ALL);
  const etag = String(headers.etag);
  const bare = etag.replaceAll('"', '');
  for (const [given, status] of [
    [etag, 304],
    [`W/${etag}`, 304],
    [`"other", ${etag}`, 304],
    [`"other",W/"another" , W/${etag},"last"`, 304],
    ['*', 304],
    [' * ', 304],
    ['"other"', 200],
    ['"other", W/"another"', 200],
    ['', 200],
    [bare, 200],
    [`"${bare}`, 200],
    [`"${bare}x"`, 200],
    ['"*"', 200],
  ] as const) {
    assert.equal((await get(ALL, { 'if-none-match': given })).status, status, given);
  }
});

test('formats, base paths, scopes and generations have different tags, and each stays the same', async (t) => {
  const { get } = await asking(t);
  const paths = [
    ALL,
    `${ALL}?format=xml`,
    `/alfresco/s${ALL}`,
    `/alfresco/service${ALL}`,
    ...PATHS.slice(1, 3),
  ];
  const tags = await Promise.all(paths.map(async (path) => (await get(path)).headers.etag));
  assert.equal(new Set(tags).size, tags.length);
  const again = await Promise.all(paths.map(async (path) => (await get(path)).headers.etag));
  assert.deepEqual(again, tags);
  const today = await asking(t, { TESSERA_DEFINITIONS_GENERATION: 'current' });
  assert.notEqual((await today.get(ALL)).headers.etag, tags[0]);
});

test('the tag is the same after a restart and for every caller, so that a cache outlives both', async (t) => {
  const [one, other] = [await asking(t), await asking(t)];
  const { headers } = await one.get(ALL);
  assert.equal((await other.get(ALL, { 'if-none-match': headers.etag })).status, 304);
});

test('nobody gets 304 before the caller is known', async (t) => {
  const { get, ticket, service } = await asking(t);
  for (const path of PATHS) {
    const { headers } = await get(path);
    for (const given of [String(headers.etag), '*']) {
      const strange: Record<string, string>[] = [
        {},
        { authorization: `Bearer TICKET_${'0'.repeat(40)}` },
        basic('admin:wrong-password'),
      ];
      for (const credentials of strange) {
        const heard = await exchange(service.url, `GET ${path}`, {
          headers: { 'if-none-match': given, ...credentials },
        });
        assert.equal(heard.status, 401);
        assert.equal(heard.headers.etag, undefined);
        assert.equal(heard.headers['cache-control'], 'no-cache, no-store');
      }
      const known = { 'if-none-match': given, ...basic(`admin:${PASSWORD}`) };
      assert.equal((await exchange(service.url, `GET ${path}`, { headers: known })).status, 304);
      const byArgument = await exchange(service.url, `GET ${path}?alf_ticket=${ticket}`, {
        headers: { 'if-none-match': given },
      });
      assert.equal(byArgument.status, 304);
    }
  }
});

test('a refusal must not be cached, and a star does not turn it into 304', async (t) => {
  const { get } = await asking(t);
  for (const path of [ofNode('nothing'), ofPath('Nowhere'), `${ALL}/nothing`, '/api/node/a/b/c/actiondefs']) {
    const { status, headers } = await get(path, { 'if-none-match': '*' });
    assert.equal(status, 404, path);
    assert.equal(headers['cache-control'], 'no-cache, no-store');
    assert.equal(headers.etag, undefined);
  }
});

test('HEAD has the headers of GET and no body, and 304 like it', async (t) => {
  const { get, service, ticket } = await asking(t);
  const head = (path: string, headers: Record<string, string> = {}) =>
    exchange(service.url, `HEAD ${path}`, { headers: { authorization: `Bearer ${ticket}`, ...headers } });
  for (const path of PATHS) {
    const [asked, headed] = [await get(path), await head(path)];
    assert.equal(headed.status, 200);
    assert.equal(headed.text, '');
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary'])
      assert.equal(headed.headers[name], asked.headers[name], name);
    assert.equal((await head(path, { 'if-none-match': String(asked.headers.etag) })).status, 304);
  }
});
