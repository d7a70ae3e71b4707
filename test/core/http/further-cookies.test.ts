import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientAddresses } from '../../../src/core/http/client-address.ts';
import { fromBrowser, setFurtherCookies } from '../../../src/core/http/cookie.ts';
import type { HttpRequest } from '../../../src/core/http/http-request.ts';

const HTTPS = { host: 'tickets.example.org', isSecure: true };
const LOOPBACK = { host: '127.0.0.1:8080', isSecure: false };
const STATE = { name: 'pending', value: 'abc', maxAge: 600 };

test('a further cookie is for the host alone, over HTTPS or on the machine itself', () => {
  assert.deepEqual(setFurtherCookies(HTTPS, [STATE]), [
    '__Host-tessera-pending=abc; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure',
  ]);
  assert.deepEqual(setFurtherCookies(LOOPBACK, [STATE]), [
    'tessera-pending=abc; Max-Age=600; Path=/; HttpOnly; SameSite=Lax',
  ]);
  assert.deepEqual(setFurtherCookies({ host: 'tickets.example.org', isSecure: false }, [STATE]), []);
});

test('a further cookie is forgotten by a value of none, and lasts until the browser closes without an age', () => {
  const cookies = [
    { name: 'one', value: 'none' },
    { name: 'other', value: 'x' },
  ];
  assert.deepEqual(setFurtherCookies(LOOPBACK, cookies), [
    'tessera-one=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    'tessera-other=x; Path=/; HttpOnly; SameSite=Lax',
  ]);
});

const addresses = new ClientAddresses([], () => undefined);

/** What a page reads of its browser's cookies. */
function cookieOf(cookie: string | undefined, name: string): string | undefined {
  const headers = { host: LOOPBACK.host, cookie };
  const raw = { method: 'GET', headers, rawHeaders: [], socket: { remoteAddress: '127.0.0.1' } };
  const request = { originalUrl: '/portal/login', raw } as unknown as HttpRequest;
  return fromBrowser(request, { addresses, cookieDomain: '' }).browser?.cookie(name);
}

test('a page reads a further cookie by its name', () => {
  assert.equal(cookieOf('a=b; tessera-pending=abc; tessera=t', 'pending'), 'abc');
  assert.equal(cookieOf('__Host-tessera-pending=abc; tessera-pending=x', 'pending'), 'abc');
});

test('a page reads nothing if there is no such cookie, an empty one, or two that differ', () => {
  for (const cookie of [
    undefined,
    '',
    'tessera=abc',
    'tessera-pending=',
    'tessera-pending=a; tessera-pending=b',
  ])
    assert.equal(cookieOf(cookie, 'pending'), undefined, String(cookie));
});
