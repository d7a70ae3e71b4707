import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HOME, returnAddress } from '../../../src/faces/pages/return-address.ts';

const OWN = {
  origin: 'https://tickets.example.org',
  returnHosts: ['wiki.example.org', '*.apps.example.org', 'dev.example.org:8443'],
};

const ALLOWED = {
  '/portal/account?a=b#c': '/portal/account?a=b#c',
  '/a/../b': '/b',
  '/ä ö': HOME,
  '/%2F%2Fevil.example': '/%2F%2Fevil.example',
  '/@evil.example': '/@evil.example',
  'https://tickets.example.org/x': '/x',
  'HTTPS://TICKETS.EXAMPLE.ORG/x': '/x',
  'https://tickets.example.org:443/x': '/x',
  'https://wiki.example.org/page?q=1': 'https://wiki.example.org/page?q=1',
  'https://WIKI.example.org': 'https://wiki.example.org/',
  'https://one.apps.example.org/': 'https://one.apps.example.org/',
  'https://dev.example.org:8443/': 'https://dev.example.org:8443/',
};

/** Ways in which sign-in pages were made to lead to other hosts. */
const TRICKS = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  '\u0000//evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'https://evil.example',
  'http://wiki.example.org/',
  'https://wiki.example.org@evil.example/',
  'https://wiki.example.org:x@evil.example/',
  'https://user:password@wiki.example.org/',
  'https://wiki.example.org.evil.example/',
  'https://evilwiki.example.org/',
  'https://wiki.example.org:444/',
  'https://apps.example.org/',
  'https://evilapps.example.org/',
  'https://evil.example\\.apps.example.org/',
  'https://evil.example/.apps.example.org/',
  'https://evil.example?.apps.example.org',
  'https://evil.example#.apps.example.org',
  'https://ｅｖｉｌ.example/',
  'https://wiki.example.org%2eevil.example/',
  'https://wiki\u200b.example.org@evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)//https://wiki.example.org',
  'data:text/html,x',
  'file:///etc/passwd',
  'portal/account',
  '',
  `/${'a'.repeat(5_000)}`,
];

test('a sign-in leads to the own host, and with https to the hosts that are set', () => {
  for (const [asked, expected] of Object.entries(ALLOWED))
    assert.equal(returnAddress(asked, OWN), expected, asked);
  assert.equal(returnAddress(undefined, OWN), HOME);
});

test('a sign-in leads nowhere else, however the address is written', () => {
  for (const asked of TRICKS) assert.equal(returnAddress(asked, OWN), HOME, JSON.stringify(asked));
});

test('over plain http, addresses on the machine itself are allowed if they are set', () => {
  const own = { origin: 'http://127.0.0.1:8080', returnHosts: ['127.0.0.1:9000', 'wiki.example.org'] };
  assert.equal(returnAddress('http://127.0.0.1:9000/x', own), 'http://127.0.0.1:9000/x');
  assert.equal(returnAddress('http://127.0.0.1:8080/x', own), '/x');
  assert.equal(returnAddress('http://wiki.example.org/x', own), HOME);
});

test('for any address, a browser reads the answer as the own host or as one that is set', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '//',
    'https:',
    'http:',
    '@',
    ':',
    '?',
    '#',
    '%2f',
    '.',
    '..',
    'evil.example',
    'wiki.example.org',
    '.apps.example.org',
    '\t',
    ' ',
    'a',
    'ｅ',
    '。',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const answer = returnAddress(parts.join(''), OWN);
      const { host, protocol } = new URL(answer, `${OWN.origin}/portal/login`);
      assert.equal(protocol, 'https:');
      assert.match(host, /^(tickets\.example\.org|wiki\.example\.org|[^/]+\.apps\.example\.org)$/);
    }),
    { numRuns: 5_000 },
  );
});
