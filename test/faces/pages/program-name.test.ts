import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastCheck from 'fast-check';
import { programName } from '../../../src/faces/pages/program-name.ts';
import { sayIn } from '../../../src/faces/pages/texts/texts.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const IOS = 'CPU OS 17_5 like Mac OS X';

const BROWSERS: readonly [string, string][] = [
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    'Microsoft Edge on Windows',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/131.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${APPLE} Version/17.5 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [`Mozilla/5.0 (iPad; ${IOS}) ${APPLE} CriOS/126.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPad'],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/17.5 Safari/605.1.15`,
    'Safari on macOS',
  ],
];

const PROGRAMS: readonly [string | undefined, string | undefined][] = [
  ['curl/8.5.0', 'curl 8.5'],
  ['python-requests/2.31.0', 'python-requests 2.31'],
  ['Apache-HttpClient/4.5.13 (Java/17.0.9)', 'Apache-HttpClient 4.5'],
  ['Alfresco/1.8 CFNetwork/1474 Darwin/23.0.0', 'Alfresco 1.8'],
  ['Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)', 'Microsoft Office 16.0'],
  ['Go-http-client/1.1', 'Go-http-client 1.1'],
  ['alfresco-js-api', 'alfresco-js-api'],
  ['node', 'node'],
  ['backup of Müller (nightly)', 'backup of Müller'],
  [undefined, undefined],
  ['', undefined],
  ['-', undefined],
  ['Mozilla/5.0', undefined],
  ['Mozilla/5.0 (compatible; Thing/1.0; +https://example.org/) Other/1 Next/2', undefined],
  ['<script>alert(1)</script>', undefined],
  [`${'x'.repeat(60)}/1.0`, undefined],
];

for (const [program, name] of [...BROWSERS, ...PROGRAMS])
  test(`the short name of ${program} is ${name}`, async () => {
    assert.equal(await programName(program, sayIn('en')), name);
  });

test('the name of a browser is in the language of the reader', async () => {
  assert.equal(await programName(BROWSERS[0]?.[0], sayIn('de')), 'Firefox unter Linux');
});

test('no text that a client sends makes it fail, or gives a long name', async () => {
  const piece = fastCheck.constantFrom(
    ...[
      'Mozilla/5.0',
      ' ',
      '(',
      ')',
      ';',
      '/',
      'Android',
      'Version/',
      'Safari',
      'Opera',
      '\u{1f600}',
      '\ud800',
    ],
  );
  const texts = fastCheck.oneof(
    fastCheck.string({ maxLength: 200 }),
    fastCheck
      .array(fastCheck.oneof(piece, fastCheck.string({ maxLength: 5 })), { maxLength: 30 })
      .map((all) => all.join('')),
  );
  await fastCheck.assert(
    fastCheck.asyncProperty(texts, async (text) => {
      for (const program of [text, `Mozilla/${text}`])
        assert.ok(((await programName(program, sayIn('en'))) ?? '').length <= 90);
    }),
  );
});
