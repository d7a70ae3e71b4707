import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOriginalRequest } from '../../../../src/capabilities/proxy-gate/original-request.ts';
import type { RequestHead } from '../../../../src/core/http/http-request.ts';

function read(uriHeader: string, headers: Record<string, string>) {
  return readOriginalRequest({ headers } as unknown as RequestHead, uriHeader);
}

const FORWARDED = {
  'x-forwarded-method': 'PUT',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'Wiki.Example.org:8443',
  'x-forwarded-uri': '/a%20b?c=/d',
};

const WIKI = {
  method: 'PUT',
  host: 'wiki.example.org',
  path: '/a%20b',
  scheme: 'https',
  authority: 'wiki.example.org:8443',
  target: '/a%20b?c=/d',
};

test('Traefik and Caddy tell the request in headers that begin with X-Forwarded', () => {
  assert.deepEqual(read('x-forwarded-uri', FORWARDED), WIKI);
});

test('nginx tells the whole URL in one header, or the path, with the host in Host', () => {
  const method = { 'x-original-method': 'PUT' };
  const url = { ...method, 'x-original-url': 'https://Wiki.Example.org:8443/a%20b?c=/d' };
  assert.deepEqual(read('x-original-url', url), WIKI);
  assert.deepEqual(read('x-original-uri', { ...method, 'x-original-uri': url['x-original-url'] }), WIKI);
  const uri = { ...method, 'x-original-uri': '/a%20b?c=/d', host: 'wiki.example.org:8443' };
  assert.deepEqual(read('x-original-uri', uri), { ...WIKI, scheme: undefined });
  assert.deepEqual(read('x-original-uri', { ...uri, 'x-forwarded-proto': 'https' }), WIKI);
});

test('headers of another kind mean nothing: a proxy may pass them on from the client', () => {
  const forged = {
    'x-original-url': 'http://open.example.org/open',
    'x-original-method': 'GET',
    host: 'other',
  };
  assert.deepEqual(read('x-forwarded-uri', { ...FORWARDED, ...forged }), WIKI);
  const nginx = { 'x-original-url': 'https://wiki.example.org:8443/a%20b?c=/d', 'x-original-method': 'PUT' };
  const clients = { ...FORWARDED, 'x-forwarded-host': 'open.example.org', 'x-forwarded-proto': 'http' };
  assert.deepEqual(read('x-original-url', { ...clients, ...nginx }), WIKI);
});

test('without one of its headers a request is not read, and the header is named', () => {
  for (const name of ['x-forwarded-method', 'x-forwarded-host', 'x-forwarded-uri']) {
    for (const value of [undefined, '']) {
      const told = read('x-forwarded-uri', { ...FORWARDED, [name]: value as string });
      assert.match(
        'unclear' in told ? told.unclear.toLowerCase() : '',
        new RegExp(`^the header ${name} is missing`),
      );
    }
  }
  assert.match(
    JSON.stringify(read('x-original-url', { ...FORWARDED, 'x-original-url': '/' })),
    /X-Original-Method/,
  );
  assert.match(
    JSON.stringify(read('x-other', { 'x-other': '/', ...FORWARDED })),
    /x-forwarded-uri or x-original-url/,
  );
});

test('a header with several values, or with something else than it should hold, is not read', () => {
  const forwarded = (headers: Record<string, string>) =>
    read('x-forwarded-uri', { ...FORWARDED, ...headers });
  for (const headers of [
    { 'x-forwarded-host': 'wiki.example.org, open.example.org' },
    { 'x-forwarded-host': 'user@wiki.example.org' },
    { 'x-forwarded-host': 'wiki.example.org/x' },
    { 'x-forwarded-host': 'wiki.example.org:99999' },
    { 'x-forwarded-method': 'GET, PUT' },
    { 'x-forwarded-method': 'get' },
  ])
    assert.ok('unclear' in forwarded(headers), JSON.stringify(headers));
  for (const url of [
    'http://user@wiki.example.org/',
    'https:///a',
    'http://a b/',
    'http://wiki.example.org?/a',
    'http://wiki.example.org#/a',
    'a',
  ])
    assert.ok(
      'unclear' in read('x-original-url', { 'x-original-url': url, 'x-original-method': 'GET' }),
      url,
    );
});

test('a host is compared without case, port and dot at its end; an address in its usual notation', () => {
  const hostOf = (host: string) => {
    const told = read('x-forwarded-uri', { ...FORWARDED, 'x-forwarded-host': host });
    return 'unclear' in told ? told.unclear : told.host;
  };
  const table = {
    'WIKI.example.ORG': 'wiki.example.org',
    'wiki.example.org.': 'wiki.example.org',
    'wiki.example.org.:443': 'wiki.example.org',
    '[0:0::1]:80': '[::1]',
    '127.1': '127.0.0.1',
    '0x7f.0.0.1': '127.0.0.1',
    '2130706433': '127.0.0.1',
    '127.0.0.1:8080': '127.0.0.1',
  };
  for (const [host, expected] of Object.entries(table)) assert.equal(hostOf(host), expected, host);
});
